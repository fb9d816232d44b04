import test from 'ava'
import { aesCipher } from '../../../../adapters/crypto/cipher.ts'
import {
  foldedRecipient,
  messageLimits,
  recipientCountId,
  unsentReasons,
} from '../../../../core/payments/reminders/message-quota.ts'

const sent = (ofDay: number, to: Readonly<Record<string, number>> = {}) => ({
  ofDay,
  to: (recipient: string) => to[recipient] ?? 0,
})

test('a payment lifts both limits; the setting is the figure of a day for all', (t) => {
  t.deepEqual(messageLimits(false, {}), { perDay: 200, perRecipient: 5 })
  t.deepEqual(messageLimits(false, { messagesPerDay: null }), { perDay: 200, perRecipient: 5 })
  t.deepEqual(messageLimits(true, {}), { perDay: 10_000, perRecipient: 20 })
  t.deepEqual(messageLimits(false, { messagesPerDay: 7 }), { perDay: 7, perRecipient: 5 })
  t.deepEqual(messageLimits(true, { messagesPerDay: 7 }), { perDay: 7, perRecipient: 20 })
})

test('the last one within a limit is sent, the next one is not', (t) => {
  for (const hasBeenPaid of [false, true]) {
    const limits = messageLimits(hasBeenPaid, {})
    const { perDay, perRecipient } = limits
    t.deepEqual(unsentReasons(limits, sent(perDay - 1), ['a', 'b']), [null, 'day-limit'])
    t.deepEqual(unsentReasons(limits, sent(9, { a: perRecipient - 1 }), ['a', 'a', 'b']), [
      null,
      'recipient-limit',
      null,
    ])
    t.deepEqual(unsentReasons(limits, sent(perDay), ['a']), ['day-limit'])
    t.deepEqual(unsentReasons(limits, sent(perDay + 1, { a: perRecipient + 1 }), ['a']), ['day-limit'])
  }
})

test('what is not sent to one takes nobody else’s place', (t) => {
  const limits = { perDay: 3, perRecipient: 1 }
  t.deepEqual(unsentReasons(limits, sent(0), ['a', 'a', 'a', 'b', 'c', 'd']), [
    ...[null, 'recipient-limit', 'recipient-limit'],
    ...[null, null, 'day-limit'],
  ])
})

test('one recipient is one however they are written', (t) => {
  const mail = (to: string) => foldedRecipient({ channel: 'email', to })
  t.is(mail('MARIA@Example.com'), mail('maria@example.com'))
  t.is(mail('jose\u0301@example.com'), mail('JOSÉ@example.com'))
  t.not(mail('jose@example.com'), mail('josé@example.com'))
  for (const to of ['maria+1@example.com', 'm.a.ria+x+y@example.com', 'maria@ｅxample.com', 'ｍaria@EXＡMPLE.com'])
    t.is(mail(to), mail('maria@example.com'), to)
  t.is(mail('ana@bücher.example'), mail('ana@xn--bcher-kva.example'))
  t.not(mail('+1@example.com'), mail('+2@example.com'))
  const spellings = [
    '+55 (11) 99999-0000',
    '5511999990000',
    '011 99999 0000',
    '11999990000',
    '00 55 11 99999-0000',
    '+55 (011) 99999-0000',
    '１１ 99999-0000',
  ]
  for (const to of spellings) {
    t.is(foldedRecipient({ channel: 'sms', to }), '11999990000', to)
    t.is(foldedRecipient({ channel: 'whatsapp', to }), '11999990000', to)
  }
  t.is(foldedRecipient({ channel: 'sms', to: '(55) 99999-0000' }), '55999990000', 'an area of 55')
  t.is(foldedRecipient({ channel: 'sms', to: '+55 55 99999-0000' }), '55999990000')
})

test('no id tells an address, and none is the same in another account or on another day', (t) => {
  const cipher = aesCipher(new Uint8Array(32).fill(1))
  const id = (accountId: number, day: string) =>
    recipientCountId(cipher, accountId, day, { channel: 'email', to: 'maria@example.com' })
  const ids = [id(7, '2026-11-23'), id(8, '2026-11-23'), id(7, '2026-11-24')]
  t.is(new Set(ids).size, 3)
  t.false(ids.some((each) => each.includes('maria')))
  t.true(ids[0]?.startsWith('7|2026-11-23|'))
})
