import { readFileSync } from 'node:fs'
import test from 'ava'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { PorticoError, verifyWebhook } from '../../../apps/client/mod.ts'

interface Vector {
  readonly secret: string
  readonly id: string
  readonly timestamp: number
  readonly payload: string
  readonly signature: string
}

const { standardWebhooks } = JSON.parse(
  readFileSync(new URL('../../fixtures/vectors.json', import.meta.url), 'utf8'),
) as { readonly standardWebhooks: readonly Vector[] }

const headersOf = ({ id, timestamp, signature }: Vector) => ({
  'webhook-id': id,
  'webhook-timestamp': `${timestamp}`,
  'webhook-signature': signature,
})
const at = (seconds: number) => ({ now: () => seconds * 1_000 })
const codeOf = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'verified',
    (failure: unknown) => (failure instanceof PorticoError ? failure.code : `${failure}`),
  )

test('verifies the public vectors, from the headers of all servers and bodies of text or bytes', async (t) => {
  for (const vector of standardWebhooks) {
    const { secret, payload, timestamp, signature } = vector
    const headers = headersOf(vector)
    const event = JSON.parse(payload)
    t.deepEqual(await verifyWebhook(headers, payload, secret, at(timestamp)), event)
    t.deepEqual(await verifyWebhook(new Headers(headers), payload, secret.replace('whsec_', ''), at(timestamp)), event)
    const express = { 'Webhook-Id': vector.id, 'WEBHOOK-TIMESTAMP': [`${timestamp}`], 'webhook-signature': signature }
    t.deepEqual(await verifyWebhook(express, new TextEncoder().encode(payload), secret, at(timestamp)), event)
    const rotated = { ...headers, 'webhook-signature': `v1,AAAA v1a,${signature} ${signature}` }
    t.deepEqual(await verifyWebhook(rotated, payload, secret, at(timestamp)), event)
  }
})

test('refuses forged, old, early and incomplete webhooks', async (t) => {
  const [vector] = standardWebhooks
  if (!vector) return t.fail()
  const { secret, payload, timestamp } = vector
  const headers = headersOf(vector)
  const check = (over: object, body = payload, by = secret, now = timestamp) =>
    codeOf(verifyWebhook({ ...headers, ...over }, body, by, at(now)))
  t.is(await check({}), 'verified')
  t.is(await check({}, payload, secret, timestamp + 300), 'verified')
  t.is(await check({}, payload, secret, timestamp + 301), 'webhook.expired')
  t.is(await check({}, payload, secret, timestamp - 301), 'webhook.expired')
  const forged = [
    check({}, `${payload} `),
    check({}, payload, `whsec_${btoa('another secret of 24 bytes')}`),
    check({}, payload, 'whsec_?'),
    check({}, payload, 'whsec_'),
    check({ 'webhook-id': 'msg_other' }),
    check({ 'webhook-timestamp': `${timestamp + 1}` }),
    check({ 'webhook-timestamp': 'today' }),
    check({ 'webhook-signature': headers['webhook-signature'].replace('v1,', 'v2,') }),
    check({ 'webhook-signature': 'v1,?' }),
    ...Object.keys(headers).map((name) => check({ [name]: undefined })),
  ]
  t.deepEqual([...new Set(await Promise.all(forged))], ['webhook.invalid'])
})

test('agrees with the reference library on valid and invalid signatures', async (t) => {
  const body = fc.string({ unit: 'grapheme', maxLength: 100 }).map((text) => JSON.stringify({ text }))
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 24, maxLength: 64 }), body, async (key, payload) => {
      const secret = `whsec_${Buffer.from(key).toString('base64')}`
      const now = new Date()
      const signature = new Webhook(secret).sign('msg_1', now, payload)
      const headers = headersOf({
        secret,
        id: 'msg_1',
        timestamp: Math.floor(now.getTime() / 1_000),
        payload,
        signature,
      })
      t.deepEqual(await verifyWebhook(headers, payload, secret), new Webhook(secret).verify(payload, headers) as never)
      t.is(await codeOf(verifyWebhook(headers, `${payload} `, secret)), 'webhook.invalid')
    }),
  )
})
