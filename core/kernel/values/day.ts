/** A calendar day of America/Sao_Paulo, `YYYY-MM-DD`, from 1900-01-01 to 9999-12-31. */
export type Day = string
/** An instant, ISO 8601 in UTC with milliseconds (`2026-11-21T13:05:09.123Z`), so that texts sort by time. */
export type Instant = string

const SECOND_MS = 1_000
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const FIRST_YEAR = 1900
const LAST_YEAR = 9999
const FIRST_DAY = Date.UTC(FIRST_YEAR, 0, 1) / DAY_MS
const LAST_DAY = Date.UTC(LAST_YEAR, 11, 31) / DAY_MS

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most)

const twoDigits = (n: number): string => (n < 10 ? `0${n}` : `${n}`)

// Five-digit years would sort before all others, so days and instants are clamped to their range.
const dayText = (dayNumber: number): Day => {
  const date = new Date(clamp(dayNumber, FIRST_DAY, LAST_DAY) * DAY_MS)
  const year = date.getUTCFullYear()
  if (Number.isNaN(year)) throw new RangeError('not a day')
  // toISOString takes four times as long.
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`
}
const instantText = (ms: number): Instant =>
  new Date(clamp(ms, FIRST_DAY * DAY_MS, (LAST_DAY + 1) * DAY_MS - 1)).toISOString()
const dayNumberOf = (day: Day): number => Date.parse(day) / DAY_MS

/** A period during which São Paulo has one offset from UTC. */
interface OffsetPeriod {
  readonly fromMs: number
  readonly untilMs: number
  readonly offsetMs: number
}

const ZONE = new Intl.DateTimeFormat('en-US', { timeZone: 'America/Sao_Paulo', timeZoneName: 'longOffset' })

const offsetFromIntl = (ms: number): number => {
  const [, sign, hours, minutes, seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(ZONE.format(ms)) ?? []
  const size = (Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds)) * SECOND_MS
  return sign === '-' ? -size : size
}

const changeBetween = (fromMs: number, untilMs: number, offsetMs: number): number => {
  let [before, after] = [fromMs, untilMs]
  while (after - before > SECOND_MS) {
    const middle = before + Math.floor((after - before) / 2 / SECOND_MS) * SECOND_MS
    if (offsetFromIntl(middle) === offsetMs) after = middle
    else before = middle
  }
  return after
}

// A call of Intl takes microseconds, so each year is computed once: at the start of each month, then by bisection.
const offsetPeriods = (year: number): readonly OffsetPeriod[] => {
  const periods: OffsetPeriod[] = []
  let fromMs = Date.UTC(year, 0, 1)
  let offsetMs = offsetFromIntl(fromMs)
  for (let month = 1; month <= 12; month += 1) {
    const next = offsetFromIntl(Date.UTC(year, month, 1))
    if (next === offsetMs) continue
    const untilMs = changeBetween(Date.UTC(year, month - 1, 1), Date.UTC(year, month, 1), next)
    periods.push({ fromMs, untilMs, offsetMs })
    fromMs = untilMs
    offsetMs = next
  }
  return [...periods, { fromMs, untilMs: Number.POSITIVE_INFINITY, offsetMs }]
}

const years = new Map<number, readonly OffsetPeriod[]>()

const findPeriod = (ms: number, matches: (period: OffsetPeriod) => boolean): OffsetPeriod => {
  const year = new Date(ms).getUTCFullYear()
  const known = years.get(year) ?? offsetPeriods(year)
  years.set(year, known)
  const found = known.find(matches)
  if (!found) throw new RangeError(`no time zone offset at ${ms}`)
  return found
}

const offsetAt = (ms: number): number => findPeriod(ms, (period) => ms < period.untilMs).offsetMs
const localMs = (instant: Instant): number => {
  const ms = Date.parse(instant)
  return ms + offsetAt(ms)
}
// If summer time skips midnight, the day starts at the instant of the change.
const startMs = (dayNumber: number): number => {
  const midnight = dayNumber * DAY_MS
  const period = findPeriod(midnight, ({ untilMs, offsetMs }) => midnight - offsetMs < untilMs)
  return Math.max(period.fromMs, midnight - period.offsetMs)
}

/** Reports whether the text is a calendar day, 1900-01-01 to 9999-12-31. */
export const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const ms = Date.parse(text)
  return ms >= FIRST_DAY * DAY_MS && dayText(ms / DAY_MS) === text
}

/** Reports whether the text is an instant in its stored form, in the years 1900 to 9999. */
export const isInstant = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text)) return false
  const ms = Date.parse(text)
  return ms >= FIRST_DAY * DAY_MS && instantText(ms) === text
}

const localText = (instant: Instant): string => new Date(localMs(instant)).toISOString().slice(0, 19).replace('T', ' ')

const [DAY_CHARS, HOUR_CHARS, SECOND_CHARS, INSTANT_CHARS] = [10, 13, 19, 24]
const MAX_LOCAL_HOURS = 256

/** The local texts of a UTC hour. */
interface LocalHour {
  readonly day: Day
  /** `2026-11-21 10` */
  readonly spaced: string
  /** `2026-11-21T10` */
  readonly iso: string
  /** `-03:00` */
  readonly offset: string
}

/** By UTC hours (`2026-11-21T13`): the instants of a request and of a list are close to each other. */
const localHours = new Map<string, LocalHour | null>()

/** Returns the local hour of an instant, null if its offset has minutes (before 1914) or changes within the hour. */
const localHour = (instant: Instant): LocalHour | null => {
  if (instant.length !== INSTANT_CHARS) return null
  const hour = instant.slice(0, HOUR_CHARS)
  const known = localHours.get(hour)
  if (known !== undefined) return known
  const [first, last] = [`${hour}:00:00.000Z`, `${hour}:59:59.999Z`]
  const spaced = localText(first).slice(0, HOUR_CHARS)
  const isWhole = localText(first).endsWith(':00:00') && localText(last).startsWith(spaced)
  const iso = spaced.replace(' ', 'T')
  const offset = offsetText(offsetMinutes(Date.parse(first)))
  const local = isWhole ? { day: spaced.slice(0, DAY_CHARS), spaced, iso, offset } : null
  if (localHours.size >= MAX_LOCAL_HOURS) localHours.clear()
  localHours.set(hour, local)
  return local
}

/** Before 1914 the offset had seconds, which ISO 8601 cannot express; with whole minutes the instant is the same. */
const offsetMinutes = (ms: number): number => Math.trunc(offsetAt(ms) / MINUTE_MS)

const offsetText = (minutes: number): string => {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${twoDigits(Math.trunc(size / 60))}:${twoDigits(size % 60)}`
}

/** Returns the day of an instant in São Paulo. */
export const dayOf = (instant: Instant): Day =>
  localHour(instant)?.day ?? dayText(Math.floor(localMs(instant) / DAY_MS))

/** Formats a day as `DD/MM/YYYY`. */
export const formatDay = (day: Day): string => day.split('-').reverse().join('/')

/** Returns the first instant of a day in São Paulo: midnight, or 01:00 if summer time skips midnight. */
export const startOfDay = (day: Day): Instant => instantText(startMs(dayNumberOf(day)))

/** Returns the last millisecond of a day in São Paulo. */
export const endOfDay = (day: Day): Instant => instantText(startMs(dayNumberOf(day) + 1) - 1)

/** Returns the day `n` days later (earlier if negative), clamped to 1900-01-01 to 9999-12-31. */
export const addDays = (day: Day, n: number): Day => dayText(dayNumberOf(day) + n)

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month + 1, 0)).getUTCDate()

/** Returns the last day of the month of a day. */
export const lastOfMonth = (day: Day): Day =>
  `${day.slice(0, 7)}-${daysInMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1)}`

/** Returns the same day of the month `n` months later, or the last day of a shorter month. */
export const addMonths = (day: Day, n: number): Day => {
  const months = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 + n
  const inRange = clamp(months, FIRST_YEAR * 12, LAST_YEAR * 12 + 11)
  const [year, month] = [Math.floor(inRange / 12), inRange % 12]
  return dayText(Date.UTC(year, month, Math.min(Number(day.slice(8)), daysInMonth(year, month))) / DAY_MS)
}

/** Counts the days from `a` to `b`, negative if `b` is earlier. */
export const daysBetween = (a: Day, b: Day): number => dayNumberOf(b) - dayNumberOf(a)

/** Returns the instant `seconds` later (earlier if negative), to the millisecond. */
export const addSeconds = (instant: Instant, seconds: number): Instant =>
  instantText(Date.parse(instant) + Math.round(seconds * SECOND_MS))

/** Returns the whole seconds from `a` to `b`, rounded up, so that a wait of that length reaches `b`. */
export const secondsBetween = (a: Instant, b: Instant): number =>
  Math.ceil((Date.parse(b) - Date.parse(a)) / SECOND_MS) + 0

/** Returns the whole seconds since 1970, as in tokens. */
export const epochSeconds = (instant: Instant): number => Math.floor(Date.parse(instant) / SECOND_MS)

/** Returns the instant of a number of seconds since 1970. */
export const fromEpochSeconds = (seconds: number): Instant => instantText(seconds * SECOND_MS)

/** Returns the milliseconds since 1970. */
export const epochMs = (instant: Instant): number => Date.parse(instant)

/** Returns the instant of a number of milliseconds since 1970. */
export const fromEpochMs = (ms: number): Instant => instantText(ms)

/** Formats an instant in São Paulo time with its offset: `2026-11-21T10:05:09-03:00`. */
export const withOffset = (instant: Instant): string => {
  const hour = localHour(instant)
  if (hour) return hour.iso + instant.slice(HOUR_CHARS, SECOND_CHARS) + hour.offset
  const ms = Date.parse(instant)
  const minutes = offsetMinutes(ms)
  return new Date(ms + minutes * MINUTE_MS).toISOString().slice(0, SECOND_CHARS) + offsetText(minutes)
}

/** Formats an instant as `YYYY-MM-DD HH:MM:SS` in São Paulo. */
export const localDateTime = (instant: Instant): string => {
  const hour = localHour(instant)
  return hour ? hour.spaced + instant.slice(HOUR_CHARS, SECOND_CHARS) : localText(instant)
}

/** Formats an instant as `21/11/2026 às 10:05`, in São Paulo. */
export const formatMoment = (instant: Instant): string => {
  const [day = '', time = ''] = localDateTime(instant).split(' ')
  return `${formatDay(day)} às ${time.slice(0, 5)}`
}

/** Returns the minutes since midnight of the local time in São Paulo, 0 to 1439. */
export const minuteOfDay = (instant: Instant): number => {
  const local = new Date(localMs(instant))
  return local.getUTCHours() * 60 + local.getUTCMinutes()
}

const FIXED_HOLIDAYS = ['01-01', '04-21', '05-01', '09-07', '10-12', '11-02', '11-15', '12-25']
const BLACK_AWARENESS_DAY = '11-20'
const BLACK_AWARENESS_DAY_SINCE = 2024
// Carnival Monday and Tuesday, Good Friday, Corpus Christi.
const DAYS_FROM_EASTER = [-48, -47, -2, 60]

/** Returns the day number of Easter Sunday, by the Gregorian computus of Meeus. */
const easterOf = (year: number): number => {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const ofCentury = year % 100
  const drift = century - Math.floor((century + 8) / 25) + 1
  const epact = (19 * golden + century - Math.floor(century / 4) - Math.floor(drift / 3) + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(ofCentury / 4) - epact - (ofCentury % 4)) % 7
  const correction = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  return Date.UTC(year, 2, 22 + epact + weekday - 7 * correction) / DAY_MS
}

/** Reports whether a day is a banking day: no weekend, national holiday, carnival, Good Friday or Corpus Christi. */
export const isBusinessDay = (day: Day): boolean => {
  const dayNumber = dayNumberOf(day)
  const weekday = new Date(dayNumber * DAY_MS).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  const [year, monthDay] = [Number(day.slice(0, 4)), day.slice(5)]
  if (FIXED_HOLIDAYS.includes(monthDay)) return false
  if (monthDay === BLACK_AWARENESS_DAY && year >= BLACK_AWARENESS_DAY_SINCE) return false
  return !DAYS_FROM_EASTER.includes(dayNumber - easterOf(year))
}

/** Returns the last banking day before a day. */
export const previousBusinessDay = (day: Day): Day => {
  let previous = addDays(day, -1)
  while (!isBusinessDay(previous)) previous = addDays(previous, -1)
  return previous
}

/** Returns the day itself if it is a banking day, else the next one. */
export const nextBusinessDay = (day: Day): Day => {
  let next = day
  while (!isBusinessDay(next)) next = addDays(next, 1)
  return next
}
