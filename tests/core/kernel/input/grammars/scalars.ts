import fc from 'fast-check'
import { decoded, type Grammar, parsed, type Verdict } from './grammar.ts'

/** A number by its printed digits: `units` of its `decimals`-th decimal. */
interface Exact {
  readonly units: bigint
  readonly decimals: number
}

const exactOf = (value: number): Exact => {
  const [mantissa = '', exponent = '0'] = `${value}`.split('e')
  const [whole = '', fraction = ''] = mantissa.split('.')
  const decimals = fraction.length - Number(exponent)
  const units = BigInt(whole + fraction)
  return decimals < 0 ? { units: units * 10n ** BigInt(-decimals), decimals: 0 } : { units, decimals }
}

/** Returns a number in units of its last decimal; null if it has more decimals. */
const stepsOf = (value: number, decimals: number): bigint | null => {
  const { units, decimals: own } = exactOf(value)
  if (own <= decimals) return units * 10n ** BigInt(decimals - own)
  const cut = 10n ** BigInt(own - decimals)
  return units % cut === 0n ? units / cut : null
}

interface Range {
  /** Inclusive bounds in units of the last decimal. */
  readonly min: number
  readonly max: number
  readonly decimals?: number
  /** The decoded value: units of the last decimal, or the number itself. */
  readonly keeps?: 'steps' | 'number'
}

/** Decides a parsed number. */
export const numberVerdict = (value: unknown, { min, max, decimals = 0, keeps = 'steps' }: Range): Verdict => {
  if (typeof value !== 'number' || !Number.isFinite(value)) return null
  const steps = stepsOf(value, decimals)
  if (steps === null || steps < BigInt(min) || steps > BigInt(max)) return null
  return decoded(keeps === 'steps' || value === 0 ? Number(steps) : value)
}

const written = (steps: number, decimals: number): string => {
  const digits = `${Math.abs(steps)}`.padStart(decimals + 1, '0')
  const sign = steps < 0 ? '-' : ''
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

const isZero = (steps: number) => fc.constantFrom(...(steps === 0 ? ['', '-'] : ['']))

/** JSON numbers in a range, however they are written: `2.50`, `2.5`, `25e-1`, `-0`. */
export const numbers = (range: Range): Grammar => {
  const { min, max, decimals = 0, keeps = 'steps' } = range
  const steps = fc.oneof(
    fc.integer({ min: Math.max(min, -1_000), max: Math.min(max, 1_000) }),
    fc.integer({ min, max }),
    fc.constantFrom(min, max),
  )
  return {
    near: '0123456789.-+eE',
    oracle: (text) => {
      const json = parsed(text)
      return json === null ? null : numberVerdict(json.decoded, range)
    },
    valid: steps.chain((value) =>
      fc
        .tuple(isZero(value), fc.constantFrom('plain', 'short', 'power'))
        .map(([sign, form]): readonly [string, number] => {
          const plain = written(value, decimals)
          const short = plain.includes('.') ? plain.replace(/\.?0+$/, '') : plain
          const text = { plain, short, power: `${value}e-${decimals}` }[form] ?? plain
          return [sign + text, keeps === 'steps' ? value : Number(plain)]
        }),
    ),
  }
}

const DAY_MS = 86_400_000
const LENGTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const isLeap = (year: number) => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
const daysIn = (year: number, month: number) => (LENGTHS[month - 1] ?? 0) + (month === 2 && isLeap(year) ? 1 : 0)
const isYear = (year: number) => year >= 1900 && year <= 9999

/** Parses exactly `length` ASCII digits; NaN for any other text. */
const digitsIn = (text: string, length: number): number =>
  text.length === length && [...text].every((each) => each >= '0' && each <= '9') ? Number(text) : Number.NaN

/** Returns the days since 1970 by the rules of the calendar; null if the text is not a day. */
const dayNumber = (text: string): number | null => {
  if (text.length !== 10 || text[4] !== '-' || text[7] !== '-') return null
  const [year, month, day] = [digitsIn(text.slice(0, 4), 4), digitsIn(text.slice(5, 7), 2), digitsIn(text.slice(8), 2)]
  if (!isYear(year) || !(month >= 1 && month <= 12) || !(day >= 1 && day <= daysIn(year, month))) return null
  let days = day - 1
  for (let earlier = 1; earlier < month; earlier += 1) days += daysIn(year, earlier)
  const past = year - 1
  return days + past * 365 + Math.floor(past / 4) - Math.floor(past / 100) + Math.floor(past / 400) - 719_162
}

const OFFSET = /^(?:Z|([+-])(\d\d):(\d\d))$/

const offsetMinutes = (text: string): number => {
  const [, sign, hours = '0', minutes = '0'] = OFFSET.exec(text) ?? []
  if (Number(hours) > 23 || Number(minutes) > 59 || !OFFSET.test(text)) return Number.NaN
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes))
}

const FIRST_MS = (dayNumber('1900-01-01') ?? 0) * DAY_MS
const LAST_MS = ((dayNumber('9999-12-31') ?? 0) + 1) * DAY_MS

/** Returns the milliseconds since 1970 of a date and time with offset; null for any other text. */
const msOf = (text: string): number | null => {
  const day = dayNumber(text.slice(0, 10))
  const [, time = '', zone = ''] = /^T([\d:.]*)(.*)$/s.exec(text.slice(10)) ?? []
  const [hours = '', minutes = '', rest = '00', ...more] = time.split(':')
  const [seconds = '', fraction = '0', ...points] = rest.split('.')
  const [h, m, s, offset] = [digitsIn(hours, 2), digitsIn(minutes, 2), digitsIn(seconds, 2), offsetMinutes(zone)]
  const isFraction = /^[0-9]{1,9}$/.test(fraction)
  if (day === null || more.length > 0 || points.length > 0 || !isFraction) return null
  if (!(h < 24 && m < 60 && s < 60) || Number.isNaN(offset)) return null
  const ms = Math.floor(Number(`0.${fraction}`) * 1_000 + 1e-6)
  const at = day * DAY_MS + ((h * 60 + m - offset) * 60 + s) * 1_000 + ms
  return at >= FIRST_MS && at < LAST_MS ? at : null
}

const instantOf = (text: string): string | null => {
  const ms = msOf(text)
  return ms === null ? null : new Date(ms).toISOString()
}

const pad = (value: number, length = 2) => `${value}`.padStart(length, '0')

const dayText = fc
  .record({
    year: fc.integer({ min: 1900, max: 9999 }),
    month: fc.integer({ min: 1, max: 12 }),
    place: fc.nat({ max: 30 }),
  })
  .map(({ year, month, place }) => `${year}-${pad(month)}-${pad((place % daysIn(year, month)) + 1)}`)
/** The edges of the calendar: ends of months, leap days, the ends of the range. */
const edge = fc.constantFrom(
  '1900-01-01',
  '1900-02-28',
  '2000-02-29',
  '2023-02-28',
  '2024-02-29',
  '2026-12-31',
  '9999-12-31',
)
const anyDay = fc.oneof(dayText, edge)

const same = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((text) => [text, text] as const)
const NEAR = '0123456789-:.TtZz+ /'

export const day: Grammar = {
  near: NEAR,
  oracle: (text) => (dayNumber(text) === null ? null : decoded(text)),
  valid: same(anyDay),
}

export const month: Grammar = {
  near: NEAR,
  oracle: (text) => {
    const [year, number] = [digitsIn(text.slice(0, 4), 4), digitsIn(text.slice(5), 2)]
    return text[4] === '-' && isYear(year) && number >= 1 && number <= 12 ? decoded(text) : null
  },
  valid: same(anyDay.map((text) => text.slice(0, 7))),
}

const moment = fc
  .record({
    on: anyDay.filter((text) => text > '1900-01-01' && text < '9999-12-31'),
    minute: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 0, max: 1_439 }) }, fc.constant(0)),
    rest: fc.constantFrom('', ':00', ':59', ':07.1', ':59.999', ':00.123456789', ':30.000000000'),
    zone: fc.constantFrom('Z', '-03:00', '+00:00', '-00:00', '+14:00', '-23:59', '+05:30'),
  })
  .map(({ on, minute, rest, zone }) => {
    const text = `${on}T${pad(Math.floor(minute / 60))}:${pad(minute % 60)}${rest}${zone}`
    const ms = (rest.split('.')[1] ?? '').slice(0, 3).padEnd(3, '0')
    const local = Date.UTC(
      Number(on.slice(0, 4)),
      Number(on.slice(5, 7)) - 1,
      Number(on.slice(8)),
      0,
      minute - offsetMinutes(zone),
      Number(rest.slice(1, 3)),
      Number(ms),
    )
    return [text, new Date(local).toISOString()] as const
  })

export const instant: Grammar = {
  near: NEAR,
  oracle: (text) => {
    const at = instantOf(text)
    return at === null ? null : decoded(at)
  },
  valid: moment,
}

const CLOCK = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/Sao_Paulo',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

const MIDNIGHT_UTC = /T00:00(:00(\.0+)?)?(Z|[+-]00:00)$/

/** Returns the day in São Paulo of an instant as it was sent, from 1900 on; of midnight UTC its own day. */
const localDay = (sent: string, at: string): string => {
  if (MIDNIGHT_UTC.test(sent)) return sent.slice(0, 10)
  const parts = new Map(CLOCK.formatToParts(new Date(at)).map(({ type, value }) => [type, value]))
  const shown = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
  return shown < '1900-01-01' ? '1900-01-01' : shown
}

export const dayOrInstant: Grammar = {
  near: NEAR,
  oracle: (text) => {
    if (dayNumber(text) !== null) return decoded(text)
    const at = instantOf(text)
    return at === null ? null : decoded(localDay(text, at))
  },
  valid: fc.oneof(
    same(anyDay),
    moment.map(([text, at]) => [text, localDay(text, at)] as const),
  ),
}
