// The messages of server and core, generated into the npm package.

export type * from '../../js/protocol';
