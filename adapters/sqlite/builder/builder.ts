import { retryWhileBusy, serveDatabaseThread } from '../connection.ts'
import { type BuildTask, build } from './task.ts'

// The thread for what takes long to build: SQLite does each in one go.
await serveDatabaseThread<BuildTask, void>((connection) => {
  const sortingIn = async (place: 'FILE' | 'MEMORY', task: BuildTask): Promise<void> => {
    connection.get(`PRAGMA temp_store=${place}`)
    await retryWhileBusy(() => build(connection, task), Number.POSITIVE_INFINITY)
  }
  // What is sorted may not fit into the memory; into it all the same where there is nowhere to write.
  return (task) => sortingIn('FILE', task).catch(() => sortingIn('MEMORY', task))
})
