import test from 'ava'
import { memorySender } from '../../../adapters/memory/memory-services.ts'

const request = { url: 'https://example.com/hook', headers: { 'webhook-id': '1' }, body: '{}' }

test('records every webhook, and accepts it without a script', async (t) => {
  const sender = memorySender()
  t.deepEqual(await sender.post(request), { status: 200, body: '', retryAfterSeconds: null })
  await sender.post({ ...request, body: '[]' })
  t.deepEqual(sender.requests, [request, { ...request, body: '[]' }])
})

test('answers by the script', async (t) => {
  const gone = { status: 410, body: 'gone', retryAfterSeconds: null }
  const sender = memorySender(({ url }) => (url.includes('gone') ? gone : { error: 'timeout' }))
  t.deepEqual(await sender.post({ ...request, url: 'https://gone.example' }), gone)
  t.deepEqual(await sender.post(request), { error: 'timeout' })
})
