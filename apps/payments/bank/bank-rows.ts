import { fakeAcquirerConsole } from '../../../adapters/bank/fake/acquirer.ts'
import { fakeBankConsole } from '../../../adapters/bank/fake/console.ts'
import { pixApiWebhookEndpoint } from '../../../adapters/bank/pix-api/mod.ts'
import type { Payments } from '../../../core/payments/payments.ts'
import type { BankOptions } from '../../bank/open-bank.ts'
import type { AnyRow } from '../../http/rows/row.ts'
import { fakeBankRows } from './fake-bank.ts'
import { pixApiRows } from './pix-api.ts'

/** The routes of the bank that an app has. */
export const bankRows = ({ ports, bank, cards }: Payments, { fakeBankConsole: console, pixApiSecret }: BankOptions) => {
  const { digest } = ports
  const rows: readonly AnyRow[] = [
    ...(console ? fakeBankRows(fakeBankConsole(ports, bank), fakeAcquirerConsole(ports, cards)) : []),
    ...(pixApiSecret === undefined ? [] : pixApiRows(pixApiWebhookEndpoint(ports), (told) => digest.equal(told, pixApiSecret))),
  ]
  return rows
}
