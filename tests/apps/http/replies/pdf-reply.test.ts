import test from 'ava'
import { prefersPdf } from '../../../../apps/http/replies/pdf-reply.ts'

const [PDF, JSON_TYPE] = ['application/pdf', 'application/json']

test('an Accept header prefers PDF if it names PDF with at least the weight of JSON', (t) => {
  for (const accept of [
    PDF,
    'Application/PDF;q=0.5, text/html',
    `${PDF}, ${JSON_TYPE}`,
    `${JSON_TYPE};q=0.4, ${PDF}; q=0.5`,
  ])
    t.true(prefersPdf(accept), accept)
  for (const accept of [null, '', '*/*', JSON_TYPE, `${PDF};q=0`, `${PDF};q=x`, `${JSON_TYPE}, ${PDF};q=0.9`])
    t.false(prefersPdf(accept), `${accept}`)
})
