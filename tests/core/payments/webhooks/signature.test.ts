import { readFileSync } from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { digest } from '../../../../adapters/crypto/digest.ts'
import { fromEpochSeconds } from '../../../../core/kernel/values/day.ts'
import { signedHeaders } from '../../../../core/payments/webhooks/deliver.ts'

interface Vector {
  readonly secret: string
  readonly id: string
  readonly timestamp: number
  readonly payload: string
  readonly signature: string
}

const { standardWebhooks } = JSON.parse(
  readFileSync(new URL('../../../fixtures/vectors.json', import.meta.url), 'utf8'),
) as { readonly standardWebhooks: readonly Vector[] }

test('the public vectors of Standard Webhooks', (t) => {
  t.true(standardWebhooks.length > 0)
  for (const { secret, id, timestamp, payload, signature } of standardWebhooks) {
    const now = fromEpochSeconds(timestamp)
    t.deepEqual(signedHeaders(digest, { secret, webhookId: id, now, payload }), {
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    })
  }
})

test('receivers that use the reference library take what we sign, whatever the body, and nothing else', (t) => {
  const body = fc.string({ unit: 'grapheme', maxLength: 200 }).map((text) => JSON.stringify({ text }))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 24, maxLength: 64 }), body, (key, payload) => {
      const secret = `whsec_${Buffer.from(key).toString('base64')}`
      const headers = signedHeaders(digest, { secret, webhookId: 'msg_1', now: new Date().toISOString(), payload })
      t.deepEqual(new Webhook(secret).verify(payload, headers), JSON.parse(payload))
      t.throws(() => new Webhook(secret).verify(`${payload} `, headers))
      t.throws(() => new Webhook(secret).verify(payload, { ...headers, 'webhook-id': 'msg_2' }))
    }),
  )
})
