import test from 'ava'
import { statusAndMessage } from '../test-api.ts'
import { BANK, openWithdrawals } from './withdrawing.ts'

const WRONG = '246802'
const BODIES = {
  '/api/pix/withdraw-bank': { ...BANK, amount: 10 },
  '/legacypay/pix-out/dataBank': { ...BANK, branch: '1', amount: 10 },
  '/legacypay/saida-sicred': { mount: 10, keyPix: 'maria@example.com', pin: BANK.pin },
}

for (const [path, body] of Object.entries(BODIES))
  test(`${path}: counts a repeated key with another PIN as a guess`, async (t) => {
    const w = await openWithdrawals(t)
    const headers = { 'idempotency-key': 'pagamento-17' }
    const first = await w.post(path, body, headers)
    t.true([200, 201].includes(first.status), first.text)
    for (let guess = 1; guess <= 5; guess += 1)
      t.deepEqual(statusAndMessage(await w.post(path, { ...body, pin: WRONG }, headers)), [403, 'PIN inválido.'])
    // Locked: the right PIN gets the same reply as a wrong one.
    for (const pin of [BANK.pin, WRONG]) {
      t.deepEqual(statusAndMessage(await w.post(path, { ...body, pin }, headers)), [
        403,
        'PIN bloqueado. Tente novamente mais tarde.',
      ])
    }
    w.api.clock.advance(31 * 60)
    const again = await w.post(path, body, headers)
    t.deepEqual([again.status, again.text], [first.status, first.text])
    t.is(again.headers.get('idempotent-replayed'), 'true')
    const other = path === '/legacypay/saida-sicred' ? { ...body, mount: 11 } : { ...body, amount: 11 }
    t.is((await w.post(path, other, headers)).status, 422)
    t.is((await w.paidOut()).length, 1)
  })
