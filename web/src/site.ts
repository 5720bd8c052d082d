// Whether there is a server behind the page: `make site` builds it without one, for static hosts.

export const HAS_SERVER = import.meta.env.MODE !== 'site';
