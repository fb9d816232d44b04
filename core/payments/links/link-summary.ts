import { nullable } from '../../kernel/input/field.ts'
import { output, view } from '../../kernel/input/view.ts'
import { all, eq, gt, lt, lte } from '../../kernel/records/where.ts'
import { dayOf, type Instant, startOfDay } from '../../kernel/values/day.ts'
import { groupOf, type Store } from '../../ports/store.ts'
import { links, type PaymentLink } from './link/link.ts'
import { LINK_STATUS_LABELS, type LinkStatus, linkStatusValue } from './link/link-status.ts'

/** How many links there are of some kind, and what they received. */
export interface LinkFigures {
  readonly count: number
  readonly receivedCents: number
}

/** The links of an account, whatever a list of them is narrowed by. */
export type LinkSummary = { readonly [K in 'all' | LinkStatus]: LinkFigures }

type Field = keyof PaymentLink & string

/**
 * Counts the links of an account by status. Those that ended before today stand in the tally of their last days; of those that
 * end at some instant of today, which are few, each is looked at.
 */
export const readSummary = async (store: Store, accountId: number, asOf: Instant): Promise<LinkSummary> => {
  const today = dayOf(asOf)
  const own = eq<Field>('accountId', accountId)
  const figures = { when: 'live', by: [], sum: ['receivedCents'] } as const
  const rows = await store.read({
    every: groupOf(links, { where: own, ...figures }),
    before: groupOf(links, { where: all(own, lt('dueDay', today)), ...figures }),
    today: groupOf(links, {
      where: all(own, gt('lapsesAt', startOfDay(today)), lte('lapsesAt', asOf)),
      ...figures,
    }),
  })
  const every = figuresIn(rows.every)
  const expired = sum(figuresIn(rows.before), figuresIn(rows.today))
  const active = { count: every.count - expired.count, receivedCents: every.receivedCents - expired.receivedCents }
  return { all: every, active, paused: NONE, expired }
}

const NONE: LinkFigures = { count: 0, receivedCents: 0 }

const figuresIn = ([row]: Awaited<ReturnType<Store['group']>>): LinkFigures =>
  row ? { count: row.count, receivedCents: row.sums.receivedCents ?? 0 } : NONE

const sum = (one: LinkFigures, other: LinkFigures): LinkFigures => ({
  count: one.count + other.count,
  receivedCents: one.receivedCents + other.receivedCents,
})

interface Shown extends LinkFigures {
  readonly status: LinkStatus | null
}

const figuresView = view(
  'PaymentLinkFigures',
  {
    value: nullable(output.count({ about: 'Situação; null em `all`' })),
    label: output.text({ about: 'Situação, por extenso' }),
    count: output.count({ about: 'Quantos links' }),
    receivedCents: output.money({ wire: 'amount', about: 'Quanto receberam' }),
  },
  ({ status, ...figures }: Shown) => ({
    ...figures,
    value: status && linkStatusValue(status),
    label: status ? LINK_STATUS_LABELS[status] : 'Todos',
  }),
)

/** Source: 02-billing.md, Payment links; decisions.md §9, Links. */
const summaryView = view(
  'PaymentLinkSummary',
  {
    all: output.view(figuresView, { about: 'Todos os links' }),
    active: output.view(figuresView, { about: 'Os ativos' }),
    paused: output.view(figuresView, { about: 'Os pausados' }),
    expired: output.view(figuresView, { about: 'Os expirados' }),
  },
  (summary: LinkSummary) => ({
    all: { ...summary.all, status: null },
    active: { ...summary.active, status: 'active' as const },
    paused: { ...summary.paused, status: 'paused' as const },
    expired: { ...summary.expired, status: 'expired' as const },
  }),
)

/** What stands beside the data of a list of links. */
export const summaryBeside = view(
  null,
  { summary: output.view(summaryView, { about: 'Os links da conta, por situação' }) },
  ({ summary }: { readonly summary: LinkSummary }) => ({ summary }),
)
