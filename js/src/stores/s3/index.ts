/** `tuckaway/s3`: a store in a bucket. Needs `@aws-sdk/client-s3`. */

export type { BucketStoreOptions } from './options.js';
export { BucketStore } from './store.js';
