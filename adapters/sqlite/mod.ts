/** The embedded store: one SQLite file, shared by the processes of one machine; and files beside it. */
export { diskFiles } from '../files/disk-files.ts'
export { sqliteStore } from './store.ts'
