import test from 'ava'
import { calendarOf, foldLine, icalText } from '../../../core/real-estate/calendar.ts'

test('special characters and line breaks are escaped', (t) => {
  t.is(icalText('a;b,c\\d\r\ne\nf\rg: "h"'), 'a\\;b\\,c\\\\d\\ne\\nf\\ng: "h"')
})

test('lines are folded at 75 octets between characters, and unfold to the same text', (t) => {
  const lines = ['curta', 'x'.repeat(75), 'x'.repeat(76), 'ção🏠'.repeat(60), 'é'.repeat(500), '€'.repeat(80)]
  for (const line of lines) {
    const folded = foldLine(line)
    for (const part of folded.split('\r\n')) t.true(new TextEncoder().encode(part).length <= 75)
    t.is(folded.replaceAll('\r\n ', ''), line)
  }
  t.is(foldLine('x'.repeat(75)), 'x'.repeat(75))
})

test('a calendar without visits is valid', (t) => {
  const text = calendarOf('Visitas de Bruno, Lima', [])
  t.true(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:'))
  t.true(text.endsWith('END:VCALENDAR\r\n'))
  t.regex(text, /NAME:Visitas de Bruno\\, Lima\r\n/)
})
