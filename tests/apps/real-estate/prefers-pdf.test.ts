import test from 'ava'
import { prefersPdf } from '../../../apps/http/replies/pdf-reply.ts'

test('an Accept header prefers PDF if it names PDF with at least the weight of JSON', (t) => {
  for (const accept of [
    'application/pdf',
    'Application/PDF;q=0.5, text/html',
    'application/pdf, application/json',
    'application/json;q=0.4, application/pdf; q=0.5',
  ])
    t.true(prefersPdf(accept), accept)
  for (const accept of [
    null,
    '',
    '*/*',
    'application/json',
    'application/pdf;q=0',
    'application/pdf;q=x',
    'application/json, application/pdf;q=0.9',
  ])
    t.false(prefersPdf(accept), `${accept}`)
})
