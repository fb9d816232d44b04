import test from 'ava'
import { nestFields, toSchemaTypes } from '../../../../apps/http/bodies/forms.ts'
import { clearable, list } from '../../../../core/kernel/input/field.ts'
import { input, object } from '../../../../core/kernel/input/input.ts'
import { flag, integer, money, oneOf } from '../../../../core/kernel/input/scalars.ts'
import { text } from '../../../../core/kernel/input/texts.ts'

const inner = input(null, { on: flag(), days: clearable(integer()), ways: list(oneOf(['a', 'b']), { max: 2 }) })
const { schema } = input(null, { name: text({ max: 9 }), value: money(), rule: clearable(object(inner)) })

test('brackets are objects and lists', (t) => {
  t.deepEqual(nestFields({ a: '1', 'b[c]': '2', 'b[d][e]': '3', 'l[]': 'x' }), {
    a: '1',
    b: { c: '2', d: { e: '3' } },
    l: ['x'],
  })
  t.deepEqual(nestFields({ 'l[]': ['x', 'y'] }), { l: ['x', 'y'] })
  for (const name of ['[a]', 'a[', 'a]b[', 'a[b]c', '', '[]']) t.deepEqual(nestFields({ [name]: 'x' }), { [name]: 'x' })
})

test('no name reaches what every object inherits, or goes deeper than is read', (t) => {
  const made = nestFields({ '__proto__[admin]': '1', 'constructor[prototype][admin]': '1', 'a[__proto__][admin]': '1' })
  t.is(({} as { admin?: string }).admin, undefined)
  t.true(Object.hasOwn(made, '__proto__'))
  const deep = `a${'[b]'.repeat(5_000)}`
  t.deepEqual(nestFields({ [deep]: 'x' }), { [deep]: 'x' })
})

test('texts are what the schema asks for; what reads as none of it stays a text', (t) => {
  t.deepEqual(
    toSchemaTypes(
      schema,
      nestFields({ name: '7', value: '10.5', 'rule[on]': 'true', 'rule[days]': '3', 'rule[ways][]': 'a' }),
    ),
    {
      name: '7',
      value: 10.5,
      rule: { on: true, days: 3, ways: ['a'] },
    },
  )
  t.deepEqual(toSchemaTypes(schema, { value: '1e3', rule: { on: 'yes', days: '3x', ways: 'a' } }), {
    value: '1e3',
    rule: { on: 'yes', days: '3x', ways: ['a'] },
  })
})

test('an object or a list may be one text of JSON', (t) => {
  t.deepEqual(toSchemaTypes(schema, { rule: '{"on":false,"days":null,"ways":["b"]}' }), {
    rule: { on: false, days: null, ways: ['b'] },
  })
  t.deepEqual(toSchemaTypes(schema, { rule: '{broken', value: '' }), { rule: '{broken', value: '' })
})
