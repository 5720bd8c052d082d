// Whether there is a server behind the page: `make site` builds it without one, for static hosts, and so is the embedded
// board.

/** Whether this is the embedded board, a guest on a page of others. */
export const IS_EMBEDDED = import.meta.env.MODE === 'embed';

export const HAS_SERVER = import.meta.env.MODE !== 'site' && !IS_EMBEDDED;
