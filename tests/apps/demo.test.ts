import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import test from 'ava'
import { readPixCode } from '../../core/payments/pix/br-code-reader.ts'
import { ROOT } from '../root.ts'

test('the demo tells a merchant’s first day to its end', async (t) => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', 'apps/demo/main.ts'], { cwd: ROOT })
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
