import { addDays } from '../../../../core/kernel/values/day.ts'

/** A movement as it was ordered, in cents: what a reader with a pencil has. */
export interface Moved {
  readonly day: string
  readonly typeId: number
  readonly status: number
  readonly cents: number
  /** The method of the charge that it came in for. */
  readonly method?: string
}

const reais = (cents: number): number => cents / 100
const sum = (moved: readonly Moved[]): number => moved.reduce((cents, each) => cents + each.cents, 0)

const NAMES: Readonly<Record<number, readonly [slug: string, name: string]>> = {
  1: ['pix-in', 'Pix In'],
  3: ['pix-in-fee', 'Tarifa Pix In'],
  6: ['boleto-in', 'Boleto In'],
  9: ['boleto-fee', 'Tarifa Boleto'],
  11: ['bolepix-in', 'Bolepix In'],
  12: ['bolepix-fee', 'Tarifa Bolepix'],
  16: ['card-settlement', 'Liquidação Cartão'],
  17: ['card-withdrawal', 'Saque Cartão'],
}
const typeOf = (id: number) => ({ id, slug: NAMES[id]?.[0], name: NAMES[id]?.[1] })

/** What the movements of a period say, added up one by one. */
export const foldOf = (all: readonly Moved[], start: string, end: string) => {
  const confirmed = all.filter(({ status }) => status === 1)
  const within = confirmed.filter(({ day }) => day >= start && day <= end)
  const initial = sum(confirmed.filter(({ day }) => day < start))
  const [ins, outs] = [within.filter(({ cents }) => cents > 0), within.filter(({ cents }) => cents < 0)]
  const days = [...new Set(within.map(({ day }) => day))].sort()
  const types = [...new Set(within.map(({ typeId }) => typeId))].sort((a, b) => a - b)
  const statistics = {
    total_received: reais(sum(ins)),
    total_paid: reais(Math.abs(sum(outs))),
    initial_balance: reais(initial),
    final_balance: reais(initial + sum(within)),
    period: { start_date: start, end_date: end },
  }
  const byType = types.map((typeId) => ({ typeId, of: within.filter((each) => each.typeId === typeId) }))
  const methods = ['PIX', 'BOLETO', 'BOLEPIX'].map((method) => ({
    method,
    of: ins.filter((each) => each.method === method),
  }))
  return {
    list: { ...statistics, current_balance: reais(sum(confirmed)) },
    statement: {
      ...statistics,
      daily_evolution: days.map((date) => ({
        date,
        balance: reais(sum(confirmed.filter(({ day }) => day <= date))),
        change: reais(sum(within.filter(({ day }) => day === date))),
      })),
      summary: byType.map(({ typeId, of }) => ({
        type: typeOf(typeId).name,
        slug: typeOf(typeId).slug,
        quantity: of.length,
        total_value: reais(sum(of)),
      })),
    },
    byDay: days.flatMap((date) =>
      byType.flatMap(({ typeId, of }) => {
        const those = of.filter(({ day }) => day === date)
        if (those.length === 0) return []
        return [{ date, type_id: typeId, total_value: reais(sum(those)), type: typeOf(typeId) }]
      }),
    ),
    byType: byType.map(({ typeId, of }) => ({
      type_id: typeId,
      total_count: of.length,
      total_value: reais(sum(of)),
      type: typeOf(typeId),
    })),
    byMethod: methods
      .filter(({ of }) => of.length > 0)
      .sort((a, b) => b.of.length - a.of.length)
      .map(({ method, of }) => ({ payment_method: method, total_count: of.length, total_value: reais(sum(of)) })),
    count: all.filter(({ day }) => day >= start && day <= end).length,
  }
}

/** Days at random within so many from a first one, in their order. */
export const daysFrom = (first: string, count: number, draw: () => number): readonly string[] =>
  Array.from({ length: count }, () => addDays(first, Math.floor(draw() * count * 2))).sort()
