import type { Runtime } from '../../../core/kernel/running/use-case.ts'
import type { Bank } from '../../../core/ports/bank.ts'
import type { PixApi } from './client/pix-api.ts'
import { pixApiMovements } from './movements/movements.ts'
import { pixApiRefunds } from './refunds/refunds.ts'
import { cancelTitle, createTitle, findTitle } from './titles/titles.ts'

/** The API says neither which bank it is nor which account: what stands for them is no bank's, and no account's. */
const NO_COMPE = '000'
const NO_ACCOUNT = { agency: '0000', account: '0' } as const
/** As many as a UUID has: the API takes 26 to 35. */
const TXID_LENGTH = 32

/**
 * A bank that speaks the Central Bank's API Pix: Pix charges, their cancellation, and refunds. Its one account is that of the Pix key,
 * and of the first organization. Source: BCB, API Pix 2.9.0; decisions.md §7.
 */
export const pixApiBank =
  (api: PixApi) =>
  (runtime: Pick<Runtime, 'clock'>): Bank => ({
    compe: NO_COMPE,
    can: ['pix'],
    txidLength: TXID_LENGTH,
    openAccount: async () => ({ outcome: 'done', value: { ...NO_ACCOUNT, pixKey: api.pixKey } }),
    createTitle: (order) => createTitle(api, runtime, order),
    findTitle: (txid) => findTitle(api, txid),
    cancelTitle: (txid) => cancelTitle(api, txid),
    refunds: pixApiRefunds(api),
    movements: pixApiMovements(api),
  })
