import test from 'ava'
import { isLeft } from '../../../../core/failure.ts'
import type { IndexFigure } from '../../../../core/ports/price-indexes.ts'
import {
  type AdjustableContract,
  adjustmentOf,
  anniversaryOf,
  monthsBefore,
} from '../../../../core/real-estate/contracts/adjustment.ts'

const LEASE: AdjustableContract = {
  ...{ id: 'c', status: 'Active', indexer: 'IGPM', indexerPercentage: null, startDate: '2025-11-15' },
  ...{ valueCents: 250_000, adjustments: [], allowNegativeAdjustment: false },
}

const figuresOf = (months: readonly string[], percent: (month: string) => number): ReadonlyMap<string, IndexFigure> =>
  new Map(months.map((month) => [month, { month, percent: percent(month), source: 'teste', date: '2026-11-01' }]))

const YEAR = monthsBefore('2026-11-15')

/** The same change in each month. */
const rising = (percent: number) => figuresOf(YEAR, () => percent)

const adjusted = (on: string, known: ReadonlyMap<string, IndexFigure>, over: Partial<AdjustableContract> = {}) => {
  const made = adjustmentOf({ ...LEASE, ...over }, on, known)
  if (!isLeft(made)) return made.right
  return { code: made.left.code, reason: 'reason' in made.left ? made.left.reason : null }
}

test('an adjustment uses the twelve months before the last anniversary', (t) => {
  t.is(anniversaryOf('2025-11-15', '2026-11-14'), null)
  t.is(anniversaryOf('2025-11-15', '2026-11-15'), '2026-11-15')
  t.is(anniversaryOf('2025-11-15', '2028-02-01'), '2027-11-15')
  // A year from 29 February ends on 1 March, but in a leap year.
  t.is(anniversaryOf('2024-02-29', '2025-02-28'), null)
  t.is(anniversaryOf('2024-02-29', '2025-03-01'), '2025-03-01')
  t.is(anniversaryOf('2024-02-29', '2028-02-29'), '2028-02-29')
  t.deepEqual([YEAR.length, YEAR[0], YEAR.at(-1)], [12, '2025-11', '2026-10'])
})

test('twelve rises compound exactly, half up to the cent', (t) => {
  const made = adjusted('2026-11-15', rising(0.5))
  // 1.005^12 = 1.0616778…
  t.like(made, { measuredPercentage: 6.1678, appliedPercentage: 6.1678, newValueCents: 265_419, dueOn: '2026-11-15' })
  t.like(adjusted('2027-03-01', rising(1)), { newValueCents: 281_706 })
  const once = figuresOf(YEAR, (month) => (month === '2026-10' ? 1 : 0))
  t.like(adjusted('2026-11-15', once, { valueCents: 50 }), { newValueCents: 51 })
})

test('refuses an adjustment within the first year', (t) => {
  t.deepEqual(adjusted('2026-11-14', rising(1)), { code: 'adjustment.early', reason: '15/11/2026' })
  const fixed = { indexer: 'Fixed', indexerPercentage: 4.5, startDate: '2024-02-29' } as const
  t.deepEqual(adjusted('2025-02-28', new Map(), fixed), { code: 'adjustment.early', reason: '01/03/2025' })
})

test('refuses an adjustment with unknown months, and names them with their index', (t) => {
  const most = figuresOf(YEAR.slice(0, -2), () => 0.5)
  t.deepEqual(adjusted('2026-11-15', most), { code: 'adjustment.missing', reason: 'IGPM 2026-09, 2026-10' })
  // A figure of 0 is known.
  t.like(adjusted('2026-11-15', rising(0)), { newValueCents: 250_000 })
})

test('a fall is not applied unless it was agreed', (t) => {
  const fell = figuresOf(YEAR, (month) => (month === '2026-01' ? -2.5 : 0.1))
  t.like(adjusted('2026-11-15', fell), { measuredPercentage: -1.4221, appliedPercentage: 0, newValueCents: 250_000 })
  t.like(adjusted('2026-11-15', fell, { allowNegativeAdjustment: true }), {
    measuredPercentage: -1.4221,
    appliedPercentage: -1.4221,
    newValueCents: 246_445,
  })
})

test('a fixed adjustment reads no figures, and requires a percentage', (t) => {
  const fixed = { indexer: 'Fixed', indexerPercentage: 4.5 } as const
  t.like(adjusted('2026-11-15', new Map(), fixed), { newValueCents: 261_250, measuredPercentage: 4.5, figures: [] })
  t.like(adjusted('2026-11-15', new Map(), { indexer: 'Fixed' }), { code: 'adjustment.no-percentage' })
})

test('refuses a value of 0 and one above the largest amount', (t) => {
  const lost = rising(-100)
  t.like(adjusted('2026-11-15', lost, { allowNegativeAdjustment: true }), { code: 'adjustment.unpayable' })
  const dear = { valueCents: 999_999_999_999 }
  t.like(adjusted('2026-11-15', rising(100), dear), { code: 'adjustment.unpayable' })
})

test('refuses to adjust an ended contract', (t) => {
  t.like(adjusted('2026-11-15', rising(1), { status: 'Renewed' }), { code: 'contract.ended' })
})
