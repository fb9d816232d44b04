/** The embedded store: one SQLite file, which processes of one machine can share, and files beside it. */
export { diskFiles } from '../files/disk-files.ts'
export { sqliteStore } from './store.ts'
