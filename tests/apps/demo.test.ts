import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { hasColors } from '../../apps/demo/story.ts'
import { readPixCode } from '../../core/payments/pix/br-code.ts'
import { ROOT } from '../root.ts'

const ESCAPE = String.fromCharCode(27)

/** What a demo prints where there is no terminal. */
const told = async (demo: string): Promise<string> => {
  const program = ['apps/start.mjs', demo]
  const { stdout } = await promisify(execFile)(process.execPath, program, {
    cwd: ROOT,
    env: { PATH: process.env.PATH },
  })
  return stdout
}

test('the demo tells a merchant’s first day to its end', async (t) => {
  const stdout = await told('demo')
  t.false(stdout.includes(ESCAPE), 'this is no terminal')
  const [code = ''] = /^000201\S.*$/m.exec(stdout) ?? []
  t.like(readPixCode(code), { _tag: 'Right', right: { amountCents: 15_050, merchantName: 'Escola Aurora' } })
  for (const line of [
    /twice by mistake, gave the same charge/,
    /The charge is paid; the balance rose from R\$ 0,00 to R\$ 150,50/,
    /statement: Pix In, R\$ 150,50, from Maria da Silva, balance R\$ 150,50/,
    /server is told: charge\.paid, charge 1/,
    /signature is right/,
  ]) {
    t.regex(stdout, line)
  }
})

test('the agency’s demo tells of its first rent to its end', async (t) => {
  const stdout = await told('demo-real-estate')
  for (const line of [
    /founds Imobiliária Aurora Ltda\.\n {3}\(11\.222\.333\/0001-81\): she is its Admin/,
    /listed as AP-101 for R\$ 2\.500,00 a month: Available/,
    /becomes a lease from 01\/\d\d\/\d{4} to \d\d\/\d\d\/\d{4}, Active;\n {3}AP-101 is Rented/,
    /are run: one of R\$ 2\.400,00, due on 10\/\d\d\/\d{4}, Pending/,
    /Run again it skips AP-101: Já existe um pagamento de aluguel deste mês/,
    /paid into the account of Imobiliária Aurora, by Pix and boleto/,
    /Maria da Silva is charged by Pix: R\$ 2\.400,00\. Her bank pays it/,
    /balance is R\$ 2\.400,00, and nobody has to note it: the rent is Paid, by Pix/,
    /half of the first rent, R\$ 1\.200,00: approved, then Paid/,
    /1 of 1 properties rented, active contracts: 1,\n {3}revenue of the month: R\$ 2\.400,00, still to be paid: 0/,
  ]) {
    t.regex(stdout, line)
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
