import test, { type ExecutionContext } from 'ava'
import { CannotStart, readEnvironment } from '../../../apps/host/environment.ts'
import { freePort } from '../../listening.ts'
import { folder } from '../host/disk.ts'
import { endOf } from '../processes/processes.ts'
import { STORE_SECRETS } from '../store-url.ts'

const linesOf = async (t: ExecutionContext, env: Record<string, string>): Promise<readonly string[]> => {
  t.timeout(60_000)
  const directory = await folder(t)
  const { code, stdout, stderr } = await endOf({ DATA_DIR: directory, ...env })
  t.deepEqual([code, stdout], [1, ''])
  t.true(stderr.endsWith('\n'))
  return stderr.trimEnd().split('\n')
}

const NOT_OPENED = 'STORE_URL: the MongoDB store cannot be opened: '

test.serial('a start without secrets is refused with a line for each before the server is contacted', async (t) => {
  const STORE_URL = 'mongodb://127.0.0.1:1/x'
  const wanted = (name: string) => `${name}: got nothing, but a MongoDB store requires it`
  t.deepEqual(await linesOf(t, { STORE_URL }), [wanted('JWT_SECRET'), wanted('DATA_KEY')])
  const { JWT_SECRET, DATA_KEY } = STORE_SECRETS
  const refused = { instanceOf: CannotStart }
  t.throws(() => readEnvironment({ STORE_URL, DATA_KEY }), { ...refused, message: wanted('JWT_SECRET') })
  t.throws(() => readEnvironment({ STORE_URL, JWT_SECRET }), { ...refused, message: wanted('DATA_KEY') })
  t.is(readEnvironment({ STORE_URL, ...STORE_SECRETS }).STORE_URL, STORE_URL)
})

test.serial('without a server: one line with its address, and no password', async (t) => {
  const port = await freePort()
  const STORE_URL = `mongodb://me:hidden@127.0.0.1:${port}/x?serverSelectionTimeoutMS=300`
  const [line = '', ...more] = await linesOf(t, { STORE_URL, ...STORE_SECRETS })
  t.true(line.startsWith(`${NOT_OPENED}MongoDB at 127.0.0.1:${port} cannot be reached: `), line)
  t.false(line.includes('hidden'))
  t.deepEqual(more, [])
})

test.serial('a database name that MongoDB does not allow: one line', async (t) => {
  const STORE_URL = `mongodb://127.0.0.1:${await freePort()}/portico.prod?serverSelectionTimeoutMS=300`
  const [line = '', ...more] = await linesOf(t, { STORE_URL, ...STORE_SECRETS })
  t.true(line.startsWith(NOT_OPENED) && line.includes('Database names cannot contain'), line)
  t.deepEqual(more, [])
})

test.serial('an invalid URL: one line, and no password', async (t) => {
  const STORE_URL = 'mongodb://me:hidden@127.0.0.1:27017/x?retries=many'
  const [line = '', ...more] = await linesOf(t, { STORE_URL, ...STORE_SECRETS })
  t.true(line.startsWith(NOT_OPENED) && line.includes('retries'), line)
  t.false(line.includes('hidden'))
  t.deepEqual(more, [])
})
