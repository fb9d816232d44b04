import { type OpenDatabase, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { sqliteStore } from '../../../adapters/sqlite/store.ts'
import { builtThings, laterThings } from './later-things.ts'

// Runs in its own process: `dying.ts path count built` builds the missing parts and prints `made` at the end, but kills
// itself within the slice of that number.
const [path = '', count = '', kind = ''] = process.argv.slice(2)
let slices = 0

const open: OpenDatabase = async (file) => {
  const database = await openDatabase(file)
  const prepare: typeof database.prepare = (sql) => {
    const statement = database.prepare(sql)
    if (!/^(INSERT OR REPLACE INTO|DELETE FROM) _places/.test(sql)) return statement
    const run: typeof statement.run = (...values) => {
      slices += 1
      if (slices === Number(count)) process.kill(process.pid, 'SIGKILL')
      return statement.run(...values)
    }
    return { run, get: (...values) => statement.get(...values), all: (...values) => statement.all(...values) }
  }
  return { prepare, close: () => database.close() }
}

const store = await sqliteStore(path, [kind === 'built' ? builtThings : laterThings], { open })
await store.settled()
console.log('made')
await store.close()
