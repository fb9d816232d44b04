import test from 'ava'
import { build, nextTask } from '../../../adapters/sqlite/builder/task.ts'
import { connect, openDatabase } from '../../../adapters/sqlite/connection.ts'
import { currentShapes } from '../../../adapters/sqlite/tables/current-shapes.ts'
import { migrate } from '../../../adapters/sqlite/tables/migrate.ts'
import { olderThings } from '../../fixtures/things.ts'
import { someFile } from './file.ts'
import { builtThings, leaveOlder } from './later-things.ts'

test('what another process has built meanwhile is not built again, and nothing that it built is forgotten', async (t) => {
  const { path, remove } = await someFile()
  t.teardown(remove)
  await leaveOlder(path, 10)
  const connection = connect(await openDatabase(path))
  t.teardown(() => connection.close())
  migrate(connection, [builtThings])
  const shapes = currentShapes(connection, [builtThings], () => t.fail())
  const task = () => {
    shapes.refresh()
    const shape = shapes.now().get(olderThings.name)
    return shape ? nextTask(shape) : null
  }
  const [first, late] = [task(), task()]
  if (!first || !late) return t.fail('nothing to build')
  build(connection, first)
  const second = task()
  if (second) build(connection, second)
  const version = connection.get('PRAGMA user_version')
  build(connection, late)
  t.deepEqual(connection.get('PRAGMA user_version'), version)
  const third = task()
  if (third) build(connection, third)
  t.is(task(), null)
  t.deepEqual(connection.get('SELECT sum(count) AS n FROM "test.things_tally_0"')?.n, 10)
})
