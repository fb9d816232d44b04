import test from 'ava'
import { failureIn } from '../../../apps/client/errors.ts'

test('a failed page has the code of its header, and the beginning of its text', (t) => {
  const text = '<p>'.padEnd(2_000, 'x')
  const answer = new Response(text, { status: 410, headers: { 'X-Error-Code': 'link.paid' } })
  const { code, status, body } = failureIn(answer, text, 0)
  t.deepEqual([code, status, `${body}`.length], ['link.paid', 410, 1_000])
  t.is(failureIn(new Response(text, { status: 502 }), text, 0).code, 'reply.unreadable')
})
