import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { getHolidays } from '@brazilian-utils/brazilian-utils'
import test from 'ava'
import fc from 'fast-check'
import {
  addDays,
  addMonths,
  addSeconds,
  dayOf,
  daysBetween,
  endOfDay,
  epochSeconds,
  formatDay,
  fromEpochSeconds,
  isBusinessDay,
  isDay,
  isInstant,
  localDateTime,
  minuteOfDay,
  nextBusinessDay,
  previousBusinessDay,
  secondsBetween,
  startOfDay,
  withOffset,
} from '../../../../core/kernel/values/day.ts'
import vectors from '../../../fixtures/vectors.json' with { type: 'json' }
import { zoneReport } from '../../../fixtures/zones.ts'

const DAY_MS = 86_400_000
const anyDay = fc
  .integer({ min: Date.UTC(1900, 0, 2) / DAY_MS, max: Date.UTC(9999, 11, 30) / DAY_MS })
  .map((dayNumber) => new Date(dayNumber * DAY_MS).toISOString().slice(0, 10))
const anyInstant = fc
  .date({ min: new Date('1900-01-02T00:00:00Z'), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())
const oneMsBefore = (instant: string) => new Date(Date.parse(instant) - 1).toISOString()

test('isDay accepts calendar days only', (t) => {
  for (const day of ['1900-01-01', '2024-02-29', '2000-02-29', '2026-12-31', '9999-12-31']) t.true(isDay(day), day)
  const wrong = ['', '2026-2-1', '2026-02-29', '1900-02-29', '2026-04-31', '2026-13-01', '2026-00-10', '2026-01-00']
  const strange = ['1899-12-31', '0000-01-01', '2026-01-01\n', ' 2026-01-01', '２026-01-01', '2026-01-01T00:00:00.000Z']
  for (const text of [...wrong, ...strange, '10000-01-01', '+002026-01-01', '20260101']) t.false(isDay(text), text)
})

test('isInstant accepts the stored form only', (t) => {
  for (const at of ['2026-11-21T13:05:09.123Z', '1900-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
    t.true(isInstant(at), at)
  const wrong = ['', '2026-11-21', '2026-11-21T13:05:09Z', '2026-11-21T13:05:09.123', '2026-11-21T13:05:09.1234Z']
  const strange = ['2026-11-21T10:05:09.123-03:00', '2026-02-30T00:00:00.000Z', '2026-01-01T24:00:00.000Z']
  const beyond = ['2026-01-01T00:00:60.000Z', '2026-01-01T00:60:00.000Z', '1899-12-31T23:59:59.999Z']
  for (const text of [...wrong, ...strange, ...beyond]) t.false(isInstant(text), text)
})

test('a day starts and ends in São Paulo time', (t) => {
  const known: [string, string, string][] = [
    ['2026-11-21', '2026-11-21T03:00:00.000Z', '2026-11-22T02:59:59.999Z'],
    ['2018-11-03', '2018-11-03T03:00:00.000Z', '2018-11-04T02:59:59.999Z'],
    // Summer time skipped midnight: the day began at 01:00.
    ['2018-11-04', '2018-11-04T03:00:00.000Z', '2018-11-05T01:59:59.999Z'],
    ['2019-01-10', '2019-01-10T02:00:00.000Z', '2019-01-11T01:59:59.999Z'],
    // The hour before midnight came twice.
    ['2019-02-16', '2019-02-16T02:00:00.000Z', '2019-02-17T02:59:59.999Z'],
    ['2019-02-17', '2019-02-17T03:00:00.000Z', '2019-02-18T02:59:59.999Z'],
    // Local mean time until 1914.
    ['1913-12-31', '1913-12-31T03:06:28.000Z', '1914-01-01T03:06:27.999Z'],
    ['1914-01-01', '1914-01-01T03:06:28.000Z', '1914-01-02T02:59:59.999Z'],
  ]
  for (const [day, start, end] of known) {
    t.is(startOfDay(day), start, day)
    t.is(endOfDay(day), end, day)
  }
})

test('an instant is converted to São Paulo time', (t) => {
  const at = '2026-11-21T13:05:09.123Z'
  t.is(dayOf(at), '2026-11-21')
  t.is(withOffset(at), '2026-11-21T10:05:09-03:00')
  t.is(localDateTime(at), '2026-11-21 10:05:09')
  t.is(formatDay('2026-01-09'), '09/01/2026')
  t.is(minuteOfDay(at), 605)
  t.is(dayOf('2026-11-21T02:59:59.999Z'), '2026-11-20')
  t.is(minuteOfDay('2026-11-21T02:59:59.999Z'), 1439)
  t.is(minuteOfDay('2026-11-21T03:00:00.000Z'), 0)
  t.is(withOffset('2018-11-04T03:00:00.000Z'), '2018-11-04T01:00:00-02:00')
  t.is(localDateTime('2019-02-17T01:59:59.999Z'), '2019-02-16 23:59:59')
  t.is(localDateTime('2019-02-17T02:00:00.000Z'), '2019-02-16 23:00:00')
})

test('every day of the years with summer time agrees with Intl', (t) => {
  const intl = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'America/Sao_Paulo',
    dateStyle: 'short',
    timeStyle: 'medium',
  })
  const wrong: string[] = []
  for (let ms = Date.UTC(1931, 0, 1); ms < Date.UTC(2020, 0, 1); ms += DAY_MS)
    for (const minute of [2 * 60 - 1, 2 * 60, 3 * 60 - 1, 3 * 60]) {
      const at = new Date(ms + minute * 60_000)
      if (localDateTime(at.toISOString()) !== intl.format(at)) wrong.push(at.toISOString())
    }
  t.deepEqual(wrong, [])
})

test('each day starts where the day before ends', (t) => {
  fc.assert(
    fc.property(fc.oneof(anyDay, anyInstant.map(dayOf)), (day) => {
      t.is(dayOf(startOfDay(day)), day)
      t.is(dayOf(oneMsBefore(startOfDay(day))), addDays(day, -1))
      t.is(endOfDay(day), oneMsBefore(startOfDay(addDays(day, 1))))
    }),
  )
})

test('an instant is within its day, and its offset converts back to it', (t) => {
  fc.assert(
    fc.property(anyInstant, (at) => {
      t.true(startOfDay(dayOf(at)) <= at && at <= endOfDay(dayOf(at)))
      t.is(Math.floor(Date.parse(at) / 1000), Date.parse(withOffset(at)) / 1000)
      t.is(localDateTime(at).slice(0, 10), dayOf(at))
    }),
  )
})

test('the time zone of the process has no effect', async (t) => {
  const fixture = new URL('../../../fixtures/zones.ts', import.meta.url).href
  const zones = ['UTC', 'America/Sao_Paulo', 'Asia/Tokyo']
  const script = `import(${JSON.stringify(fixture)}).then(({ zoneReport }) => {
    for (const zone of ${JSON.stringify(zones)}) {
      process.env.TZ = zone
      process.stdout.write(new Date(0).getHours() + ' ' + zoneReport() + '\\0')
    }
  })`
  // The module is loaded in a zone far from the one of this process.
  const env = { ...process.env, TZ: 'Asia/Tokyo' }
  const { stdout } = await promisify(execFile)(process.execPath, ['--import=tsx', '--eval', script], { env })
  const here = zoneReport()
  t.deepEqual(stdout.split('\0'), [...['0', '21', '9'].map((hour) => `${hour} ${here}`), ''])
})

test('addDays and daysBetween are inverse', (t) => {
  t.is(addDays('2024-02-28', 1), '2024-02-29')
  t.is(addDays('2026-01-01', -1), '2025-12-31')
  t.is(daysBetween('2026-11-21', '2026-11-01'), -20)
  fc.assert(
    fc.property(anyDay, anyDay, (a, b) => {
      t.is(addDays(a, daysBetween(a, b)), b)
      t.is(Math.sign(daysBetween(a, b)), a < b ? 1 : a > b ? -1 : 0)
    }),
  )
})

test('daysBetween agrees with the due date factor of boletos', (t) => {
  for (const { date, fator } of vectors.fatorVencimento.encode)
    t.is(((daysBetween(vectors.fatorVencimento.base, date) - 1000) % 9000) + 1000, Number(fator), date)
})

test('addMonths keeps the day of the month, or takes the last day of a shorter month', (t) => {
  t.is(addMonths('2026-01-31', 1), '2026-02-28')
  t.is(addMonths('2024-01-31', 1), '2024-02-29')
  t.is(addMonths('2026-01-31', 2), '2026-03-31')
  t.is(addMonths('2026-03-31', -1), '2026-02-28')
  t.is(addMonths('2026-11-21', 14), '2028-01-21')
  t.is(addMonths('2026-01-15', -1), '2025-12-15')
})

test('additions of months add up for days that every month has', (t) => {
  const early = fc
    .tuple(anyDay, fc.integer({ min: 1, max: 28 }))
    .map(([day, n]) => `${day.slice(0, 8)}${`${n}`.padStart(2, '0')}`)
  fc.assert(
    fc.property(early, fc.integer({ min: -600, max: 600 }), (day, n) => {
      fc.pre(Math.abs(Number(day.slice(0, 4)) - 5950) < 4000)
      t.is(addMonths(addMonths(day, n), -n), day)
      t.is(addMonths(day, n).slice(8), day.slice(8))
    }),
  )
})

test('days and instants are clamped to their range', (t) => {
  t.is(addDays('9999-12-31', 1), '9999-12-31')
  t.is(addDays('1900-01-01', -1e9), '1900-01-01')
  t.is(addMonths('9999-12-15', 3), '9999-12-15')
  t.is(endOfDay('9999-12-31'), '9999-12-31T23:59:59.999Z')
  t.is(addSeconds('9999-12-31T23:59:59.000Z', 60), '9999-12-31T23:59:59.999Z')
  t.is(fromEpochSeconds(1e20), '9999-12-31T23:59:59.999Z')
})

test('throws for a text that is not a day', (t) => {
  t.throws(() => addDays('tomorrow', 1), { instanceOf: RangeError })
  t.throws(() => addMonths('tomorrow', 1), { instanceOf: RangeError })
  t.throws(() => dayOf('now'), { instanceOf: RangeError })
})

test('adds and counts seconds', (t) => {
  const at = '2026-11-21T13:05:09.123Z'
  t.is(addSeconds(at, 3600), '2026-11-21T14:05:09.123Z')
  t.is(addSeconds(at, -0.123), '2026-11-21T13:05:09.000Z')
  t.is(secondsBetween(at, addSeconds(at, 120)), 120)
  t.is(secondsBetween(at, addSeconds(at, 0.001)), 1)
  t.is(secondsBetween(at, addSeconds(at, -0.5)), 0)
  t.is(secondsBetween(addSeconds(at, 120), at), -120)
  t.is(epochSeconds(at), 1_795_266_309)
  t.is(fromEpochSeconds(1_795_266_309), '2026-11-21T13:05:09.000Z')
})

test('weekends, national holidays, carnival, Good Friday and Corpus Christi are no banking days', (t) => {
  const off2026 = '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-20 12-25'.split(' ')
  const weekdays = Array.from({ length: 365 }, (_, n) => addDays('2026-01-01', n)).filter(
    (day) => ![0, 6].includes(new Date(day).getUTCDay()),
  )
  t.deepEqual(
    weekdays.filter((day) => !isBusinessDay(day)),
    off2026.map((monthDay) => `2026-${monthDay}`),
  )
  for (const day of ['2026-11-21', '2026-11-22', '2025-03-03', '2025-03-04', '2025-06-19', '2024-11-20'])
    t.false(isBusinessDay(day), day)
  for (const day of ['2026-11-23', '2023-11-20', '2026-02-18', '2025-12-24']) t.true(isBusinessDay(day), day)
})

test('agrees with an independent library on the holidays of each year', (t) => {
  for (let year = 2001; year <= 2099; year += 1)
    for (const { date } of getHolidays(year))
      t.false(isBusinessDay(date.toISOString().slice(0, 10)), date.toISOString())
})

test('nextBusinessDay returns the day itself or the next banking day', (t) => {
  t.is(nextBusinessDay('2026-11-20'), '2026-11-23')
  t.is(nextBusinessDay('2026-11-23'), '2026-11-23')
  t.is(nextBusinessDay('9999-12-31'), '9999-12-31')
  for (const day of ['2026-11-20', '2026-11-21', '2026-11-23']) t.is(previousBusinessDay(day), '2026-11-19', day)
  for (const { due, valid, acceptedUntil } of vectors.validadeAposVencimento)
    t.is(nextBusinessDay(addDays(nextBusinessDay(due), valid)), acceptedUntil, due)
})
