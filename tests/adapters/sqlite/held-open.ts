import { type Database, type OpenDatabase, openDatabase } from '../../../adapters/sqlite/connection.ts'

/** Opens a file whose background work fails as busy until `letGo`, as if another process had locked it. */
export const heldOpen = (): { readonly open: OpenDatabase; letGo(): void } => {
  let isHeld = true
  const busy = (): never => {
    throw Object.assign(new Error('held'), { errcode: 5 })
  }
  const open: OpenDatabase = async (file) => {
    const database = await openDatabase(file)
    const prepare: Database['prepare'] = (sql) =>
      isHeld && sql.startsWith('SELECT last FROM _places') ? busy() : database.prepare(sql)
    return { prepare, close: () => database.close() }
  }
  return {
    open,
    letGo: () => {
      isHeld = false
    },
  }
}
