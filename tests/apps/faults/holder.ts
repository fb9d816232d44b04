import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { openDatabase } from '../../../adapters/sqlite/connection.ts'

// A second process on a database file: it takes the file for itself when it is told to, and lets go of it again.
const database = await openDatabase(process.argv[2] ?? '')
database.prepare('PRAGMA busy_timeout = 10000').get()
const words = createInterface({ input: process.stdin })
words.on('line', (word) => {
  database.prepare(word === 'hold' ? 'BEGIN IMMEDIATE' : 'ROLLBACK').run()
  process.stdout.write(`${word}\n`)
})
await once(words, 'close')
database.close()
