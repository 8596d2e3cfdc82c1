/** `tuckaway/s3`: a store in a bucket. Needs `@aws-sdk/client-s3`. */

export type { S3StoreOptions } from './options.js';
export { S3Store } from './store.js';
