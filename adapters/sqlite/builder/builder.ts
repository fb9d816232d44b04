import { patiently } from '../file/patience.ts'
import { serve } from '../thread/serve.ts'
import { type BuildTask, build } from './task.ts'

// The thread for what takes long to build: SQLite does each in one go.
await serve<BuildTask, void>(
  (connection) => (task) => patiently(() => build(connection, task), Number.POSITIVE_INFINITY),
)
