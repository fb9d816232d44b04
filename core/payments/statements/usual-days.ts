import { issue } from '../../failure.ts'
import { inQuery } from '../../kernel/input/query.ts'
import { type Rule, rule } from '../../kernel/input/rules.ts'
import { addDays, type Day } from '../../kernel/values/day.ts'

interface Ends {
  readonly from?: Day | undefined
  readonly to?: Day | undefined
}

interface Wires {
  readonly from: string
  readonly to: string
  /** Further names of both, under which they may be sent. */
  readonly also?: readonly [from: string, to: string]
}

/** Days that a statement is asked of: from so many days ago until today, where a caller names none. */
export const usualDays = (daysBack: number, { from, to, also }: Wires, about = 'Período') => {
  const usual = ({ from: first, to: last }: Ends, today: Day) => ({
    from: first ?? addDays(today, -daysBack),
    to: last ?? today,
  })
  const notReversed: Rule<Ends, 'not-before'> = rule(['from', 'to'], (ends, today) => {
    if (today === null) return []
    const { from: first, to: last } = usual(ends, today)
    return last < first ? [issue('to', 'not-before', { other: 'from' })] : []
  })
  return {
    fields: {
      from: inQuery.day({ wire: from, ...(also && { aliases: [also[0]] }), about: `${about}, desde` }),
      to: inQuery.day({ wire: to, ...(also && { aliases: [also[1]] }), about: `${about}, até` }),
    },
    notReversed,
    /** The days that are meant. */
    of: usual,
  }
}

/** What `start_date` and `end_date` of a summary are where they are not said. Source: 02-billing.md, Statements and reports. */
export const LAST_DAYS = 30
