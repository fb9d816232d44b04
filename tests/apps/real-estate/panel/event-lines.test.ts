import test from 'ava'
import fc from 'fast-check'
import { eventReader } from '../../../../apps/real-estate/panel/browser/event-lines.ts'
import { printSeed, SEED } from '../../../size.ts'

const SENT = [
  'retry: 3000',
  ': connected',
  '',
  'event: notification',
  'id: 7',
  'data: {"title":"Nova: proposta"}',
  '',
  ': still here',
  '',
  'data:um',
  'data: dois',
  '',
  'id: 9',
  '',
  'event: notification',
  'id: 8',
  'data: cut',
].join('\n')

const READ = [
  { id: '7', event: 'notification', data: '{"title":"Nova: proposta"}' },
  { id: null, event: 'message', data: 'um\ndois' },
  { id: '9', event: 'message', data: null },
]

test('events are read however their stream was cut, with any ends of lines; one that is not whole is none', (t) => {
  printSeed(t)
  fc.assert(
    fc.property(fc.array(fc.nat(SENT.length * 2)), fc.constantFrom('\n', '\r\n', '\r'), (cuts, end) => {
      const text = SENT.replaceAll('\n', end)
      const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
      const read = eventReader()
      const got = places.slice(1).flatMap((place, index) => read(text.slice(places[index], place)))
      t.deepEqual(got, READ)
    }),
    { seed: SEED },
  )
})
