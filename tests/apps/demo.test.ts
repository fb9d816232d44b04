import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { hasColors } from '../../apps/demo/story.ts'
import { readPixCode } from '../../core/payments/pix/br-code.ts'
import { ROOT } from '../root.ts'

const ESCAPE = String.fromCharCode(27)

/** Returns the output of a demo without a terminal. */
const outputOf = async (demo: string): Promise<string> => {
  const program = ['apps/start.mjs', demo]
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
  })
  return stdout
}

test('the payments demo runs to its end', async (t) => {
  const stdout = await outputOf('demo')
  t.false(stdout.includes(ESCAPE), 'colours without a terminal')
  const [code = ''] = /^000201\S.*$/m.exec(stdout) ?? []
  t.like(readPixCode(code), { _tag: 'Right', right: { amountCents: 15_050, merchantName: 'Escola Aurora' } })
  for (const line of [
    /twice by mistake, returns the same charge/,
    /The charge is paid; the balance rose from R\$ 0,00 to R\$ 150,50/,
    /statement: Pix In, R\$ 150,50, from Maria da Silva, balance R\$ 150,50/,
    /server receives a webhook: charge\.paid, charge 1/,
    /signature is valid/,
  ]) {
    t.regex(stdout, line)
  }
})

test('the real-estate demo runs to its first rent', async (t) => {
  const stdout = await outputOf('demo-real-estate')
  for (const line of [
    /founds Imobiliária Aurora Ltda\.\n {3}\(11\.222\.333\/0001-81\): she is its Admin/,
    /listed as AP-101 for R\$ 2\.500,00 a month: Available/,
    /becomes a lease from 01\/\d\d\/\d{4} to \d\d\/\d\d\/\d{4}, Active;\n {3}AP-101 is Rented/,
    /are run: one of R\$ 2\.400,00, due on 10\/\d\d\/\d{4}, Pending/,
    /Run again it skips AP-101: Já existe um pagamento de aluguel deste mês/,
    /paid into the account of Imobiliária Aurora, by Pix and boleto/,
    /Maria da Silva is charged by Pix: R\$ 2\.400,00\. Her bank pays it/,
    /balance is R\$ 2\.400,00, and the rent is at once Paid, by Pix/,
    /half of the first rent, R\$ 1\.200,00: approved, then Paid/,
    /1 of 1 properties rented, active contracts: 1,\n {3}revenue of the month: R\$ 2\.400,00, still to be paid: 0/,
  ]) {
    t.regex(stdout, line)
  }
})

test('output has colours on a terminal, unless NO_COLOR or FORCE_COLOR are set', (t) => {
  const colorsOf = (env: Record<string, string>) => [hasColors(env, true), hasColors(env, false)]
  t.deepEqual(colorsOf({}), [true, false])
  t.deepEqual(colorsOf({ NO_COLOR: '', FORCE_COLOR: '' }), [true, false])
  t.deepEqual(colorsOf({ NO_COLOR: '1' }), [false, false])
  t.deepEqual(colorsOf({ FORCE_COLOR: '1' }), [true, true])
  t.deepEqual(colorsOf({ FORCE_COLOR: '3', NO_COLOR: '1' }), [true, true])
  t.deepEqual(colorsOf({ FORCE_COLOR: '0' }), [false, false])
})
