import test from 'ava'
import { withAlternativesDescribed } from '../../../../apps/http/docs/components.ts'

const properties = {
  value: { type: 'number', description: 'Valor' },
  amount: { type: 'number', description: 'Valor, em reais.' },
  note: {},
}
const either = { anyOf: [{ required: ['value'] }, { required: ['amount'] }] }

test('moves the condition that one of several fields is required into their descriptions', (t) => {
  t.deepEqual(withAlternativesDescribed({ type: 'object', properties, required: ['note'], allOf: [either] }), {
    type: 'object',
    properties: {
      value: { type: 'number', description: 'Valor. Obrigatório, este ou `amount`' },
      amount: { type: 'number', description: 'Valor, em reais. Obrigatório, este ou `value`' },
      note: {},
    },
    required: ['note'],
  })
})

test('keeps every other condition', (t) => {
  const others = [
    { required: ['note'] },
    { anyOf: [{ required: ['value', 'note'] }, { required: ['amount'] }] },
    { anyOf: [{ required: ['value'], properties: {} }, { required: ['amount'] }] },
    { ...either, minProperties: 1 },
  ]
  const schema = { type: 'object', allOf: others, properties }
  t.deepEqual(withAlternativesDescribed(schema), schema)
  t.deepEqual(withAlternativesDescribed({ ...schema, allOf: [either, ...others] }).allOf, others)
})
