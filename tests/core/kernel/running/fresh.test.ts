import test from 'ava'
import { setClock } from '../../../../adapters/clock/set-clock.ts'
import { seededRandom } from '../../../../adapters/crypto/seeded-random.ts'
import { freshOf } from '../../../../core/kernel/running/fresh/fresh.ts'

const opened = () => {
  const ids = { draw: () => 1, refill: async () => {}, returnIds: async () => {} }
  return freshOf({ clock: setClock('2026-11-21T13:00:00.000Z'), random: seededRandom(1), ids })
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

test('every attempt draws the same, kind by kind, though it goes another way', (t) => {
  const { fresh, rewind } = opened()
  const [code, uuid, txid, other] = [
    fresh.text(LETTERS, 22),
    fresh.uuid(),
    fresh.text(LETTERS, 32),
    fresh.text(LETTERS, 22),
  ]
  t.deepEqual([code.length, txid.length, other.length], [22, 32, 22])
  t.is(new Set([code, other, uuid]).size, 3)
  rewind()
  // The record that had the first code is there by now: nothing else gets what was drawn for it.
  t.is(fresh.text(LETTERS, 32), txid)
  t.is(fresh.uuid(), uuid)
  t.is(fresh.text(LETTERS, 22).length, 22)
  t.is(fresh.bytes(3).length, 3)
  rewind()
  t.is(fresh.bytes(16).length, 16)
})

test('what is shown goes by the clock, and the day by the time that has passed', (t) => {
  const clock = setClock('2026-11-21T13:00:00.000Z')
  const ids = { draw: () => 1, refill: async () => {}, returnIds: async () => {} }
  const drawn = () => freshOf({ clock, random: seededRandom(1), ids }).fresh
  clock.jump(86_400)
  t.like(drawn(), { now: '2026-11-22T13:00:00.000Z', steady: '2026-11-21T13:00:00.000Z', today: '2026-11-21' })
  clock.advance(600)
  t.like(drawn(), { now: '2026-11-22T13:10:00.000Z', steady: '2026-11-22T13:10:00.000Z', today: '2026-11-22' })
})
