import test from 'ava'
import { readTraceContext, traceHeaders, traceIdOf } from '../../../../core/ports/tracer.ts'

const [TRACE, SPAN] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
const PARENT = `00-${TRACE}-${SPAN}-01`

test('a context is read from its headers, kept as one text and sent on as the same headers', (t) => {
  for (const tracestate of [undefined, 'vendor=abc,other=a b']) {
    const context = readTraceContext(PARENT, tracestate)
    t.deepEqual(traceHeaders(context), { traceparent: PARENT, ...(tracestate && { tracestate }) })
    t.is(context && traceIdOf(context), TRACE)
  }
  t.deepEqual(traceHeaders(null), {})
  t.is(readTraceContext(`cc-${TRACE}-${SPAN}-00-later`, undefined), `00-${TRACE}-${SPAN}-00`, 'of a later version')
  for (const state of ['', 'a=ã', `a=${'b'.repeat(511)}`, 'a=\u0000']) t.is(readTraceContext(PARENT, state), PARENT)
})

test('a malformed traceparent is none', (t) => {
  for (const wrong of [
    ...[
      undefined,
      '',
      'x',
      `${PARENT}, ${PARENT}`,
      `${PARENT}-more`,
      ` ${PARENT}`,
      `${PARENT}\n`,
      PARENT.toUpperCase(),
    ],
    ...[`ff-${TRACE}-${SPAN}-01`, `00-${'0'.repeat(32)}-${SPAN}-01`, `00-${TRACE}-${'0'.repeat(16)}-01`],
    ...[`00-${TRACE.slice(1)}-${SPAN}-01`, `00-${TRACE}-${SPAN}-1`, `cc-${TRACE}-${SPAN}-01more`],
  ])
    t.is(readTraceContext(wrong, 'vendor=abc'), null, wrong)
})
