import test from 'ava'
import { calendarOf, foldedLine, icalText } from '../../../core/real-estate/calendar.ts'

test('marks that mean something are escaped, and breaks are written out', (t) => {
  t.is(icalText('a;b,c\\d\r\ne\nf\rg: "h"'), 'a\\;b\\,c\\\\d\\ne\\nf\\ng: "h"')
})

test('a line has at most 75 octets, is broken in no character’s midst, and is whole again when it is read', (t) => {
  const lines = ['curta', 'x'.repeat(75), 'x'.repeat(76), 'ção🏠'.repeat(60), 'é'.repeat(500), '€'.repeat(80)]
  for (const line of lines) {
    const folded = foldedLine(line)
    for (const part of folded.split('\r\n')) t.true(new TextEncoder().encode(part).length <= 75)
    t.is(folded.replaceAll('\r\n ', ''), line)
  }
  t.is(foldedLine('x'.repeat(75)), 'x'.repeat(75))
})

test('a calendar without visits is one all the same', (t) => {
  const text = calendarOf('Visitas de Bruno, Lima', [])
  t.true(text.startsWith('BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:'))
  t.true(text.endsWith('END:VCALENDAR\r\n'))
  t.regex(text, /NAME:Visitas de Bruno\\, Lima\r\n/)
})
