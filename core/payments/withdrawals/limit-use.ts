import { nullable, oneOf, output, timestamp, view } from '../../kernel/input/mod.ts'
import { readUseCase } from '../../kernel/running/use-case.ts'
import type { Instant } from '../../kernel/values/day.ts'
import { byId } from '../../ports/store.ts'
import { accounts, isExisting } from '../accounts/account.ts'
import type { Actor, PaymentsPorts } from '../payments-ports.ts'
import { leftOf, limitWindowsOf, windowEnds, windowSumIds, windowSumQueries } from './limits.ts'

const PERIODS = ['transaction', 'day', 'night'] as const

/** A limit on Pix payments and transfers, and the part of it that is used. */
export interface LimitUse {
  readonly period: (typeof PERIODS)[number]
  /** Null without a limit. */
  readonly limitCents: number | null
  /** Null for the limit of one transaction, and for the night in the daytime. */
  readonly usedCents: number | null
  /** Null without a limit. */
  readonly leftCents: number | null
  /** The end of the current period; null for the limit of one transaction, and for the night in the daytime. */
  readonly resetsAt: Instant | null
}

export const readLimits =
  ({ store, clock }: Pick<PaymentsPorts, 'store' | 'clock'>) =>
  ({ accountId }: Pick<Actor, 'accountId'>) =>
    readUseCase('account.unknown', async (): Promise<readonly LimitUse[] | null> => {
      const windows = limitWindowsOf(clock.steady())
      const queries = { account: byId(accounts, accountId), ...windowSumQueries(windowSumIds(accountId, windows)) }
      const { account, daySum, nightSum } = await store.read(queries)
      if (!isExisting(account)) return null
      const { pixOutPerTransactionCents: each, pixOutDailyCents, pixOutNightlyCents } = account.limits
      const ends = windowEnds(windows)
      const used = (limitCents: number | null, sum: typeof daySum) => {
        const left = leftOf(limitCents, sum)
        return { limitCents, usedCents: sum?.amount ?? 0, leftCents: left === null ? null : Math.max(0, left) }
      }
      return [
        { period: 'transaction', limitCents: each, usedCents: null, leftCents: each, resetsAt: null },
        { period: 'day', ...used(pixOutDailyCents, daySum), resetsAt: ends.day },
        {
          period: 'night',
          ...used(pixOutNightlyCents, nightSum),
          ...(windows.night === null && { usedCents: null }),
          resetsAt: ends.night,
        },
      ]
    })

export const limitUseView = view(
  'LimitUse',
  {
    kind: oneOf(['pix_out'], { about: 'O que o limite conta: Pix enviados e transferências, sem tarifas' }),
    period: oneOf(PERIODS, { about: 'Em que período: por transação, no dia, ou na noite, das 20h às 6h' }),
    limitCents: nullable(output.money({ wire: 'limit', about: 'Limite; nulo se não há' })),
    usedCents: nullable(
      output.money({ wire: 'used', about: 'Quanto dele foi usado; nulo por transação, e para a noite durante o dia' }),
    ),
    leftCents: nullable(output.money({ wire: 'left', about: 'Quanto resta dele; nulo se não há limite' })),
    resetsAt: nullable(
      timestamp({ about: 'Quando o período termina; nulo por transação, e para a noite durante o dia' }),
    ),
  },
  (use: LimitUse) => ({ ...use, kind: 'pix_out' as const }),
)
