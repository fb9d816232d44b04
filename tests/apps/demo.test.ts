import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { hasColors } from '../../apps/demo/colors.ts'
import { readPixCode } from '../../core/payments/pix/br-code-reader.ts'
import { ROOT } from '../root.ts'

const ESCAPE = String.fromCharCode(27)

test('the demo tells a merchant’s first day to its end', async (t) => {
  const program = ['apps/start.mjs', 'demo']
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
  })
  t.false(stdout.includes(ESCAPE), 'this is no terminal')
  const [code = ''] = /^000201\S.*$/m.exec(stdout) ?? []
  t.like(readPixCode(code), { _tag: 'Right', right: { amountCents: 15_050, merchantName: 'Escola Aurora' } })
  for (const told of [
    /twice by mistake, gave the same charge/,
    /The charge is paid; the balance rose from R\$ 0,00 to R\$ 150,50/,
    /statement: Pix In, R\$ 150,50, from Maria da Silva, balance R\$ 150,50/,
    /server is told: charge\.paid, charge 1/,
    /signature is right/,
  ]) {
    t.regex(stdout, told)
  }
})

test('colours are for a terminal, unless the environment says otherwise', (t) => {
  const said = (env: Record<string, string>) => [hasColors(env, true), hasColors(env, false)]
  t.deepEqual(said({}), [true, false])
  t.deepEqual(said({ NO_COLOR: '', FORCE_COLOR: '' }), [true, false])
  t.deepEqual(said({ NO_COLOR: '1' }), [false, false])
  t.deepEqual(said({ FORCE_COLOR: '1' }), [true, true])
  t.deepEqual(said({ FORCE_COLOR: '3', NO_COLOR: '1' }), [true, true])
  t.deepEqual(said({ FORCE_COLOR: '0' }), [false, false])
})
