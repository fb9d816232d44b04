import test from 'ava'
import { type NameServers, resolveHost } from '../../../adapters/webhooks/target.ts'

const failing = (code: string) => async (): Promise<never> => {
  throw Object.assign(new Error(code), { code })
}

/** Name servers that know what they are told to, of the one family and of the other. */
const servers = (four: () => Promise<string[]>, six: () => Promise<string[]> = failing('ENODATA')): NameServers =>
  ({ resolve4: four, resolve6: six }) as unknown as NameServers

test('the addresses of both families are told, and those of one where the other has none', async (t) => {
  const [four, six] = [async () => ['192.0.2.1', '192.0.2.2'], async () => ['2001:db8::1']]
  t.deepEqual(await resolveHost('a.test', servers(four, six)), ['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  t.deepEqual(await resolveHost('a.test', servers(four)), ['192.0.2.1', '192.0.2.2'])
  t.deepEqual(await resolveHost('a.test', servers(failing('ETIMEOUT'), six)), ['2001:db8::1'])
})

test('the system knows what name servers do not, or where there are none: localhost', async (t) => {
  for (const code of ['ENOTFOUND', 'ENODATA', 'ECONNREFUSED'])
    t.true((await resolveHost('localhost', servers(failing(code)))).includes('127.0.0.1'), code)
})

test('a name whose servers never answer is not asked for again, in a thread of ours', async (t) => {
  for (const code of ['ETIMEOUT', 'ESERVFAIL'])
    await t.throwsAsync(resolveHost('localhost', servers(failing(code))), { message: code })
})
