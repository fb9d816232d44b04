import { json, jsonObject } from '../../../../core/kernel/input/json.ts'
import { decodes, each, refuses } from './reads.ts'

const ABSENT = each('required', undefined, null)
// JSON.parse returns Infinity for 1e309.
const INFINITY = JSON.parse('1e309')

refuses('json', json({ maxDepth: 2, maxBytes: 20 }), [
  ...ABSENT,
  ...each('json.number', Number.NaN, INFINITY, 2 ** 53, [-(2 ** 60)]),
  ...each('text.malformed', 'a\0', ['\ud800'], { '\udc00': 1 }, 'q'.padEnd(40, '\u0316')),
  ...each('json.key __proto__', JSON.parse('{"__proto__":{"admin":true}}')),
  ...each('json.key constructor', JSON.parse('{"a":{"constructor":{"prototype":{}}}}')),
  ...each('json.key prototype', { prototype: 1 }),
  ...each('json.key', { é: 1, 'e\u0301': 2 }),
  ...each('json.depth', [[[]]], { a: { b: { c: 1 } } }),
  ...each('json.bytes 20', 'a'.repeat(19), 'ééééééééé1', { a: 'aaaaaaaaaaaaa' }),
])
decodes('json at its bounds', json({ maxDepth: 2, maxBytes: 20 }), [
  [[[]], '[[]]'],
  ['a'.repeat(18), `"${'a'.repeat(18)}"`],
  ['ééééééééé', '"ééééééééé"'],
])
refuses('json object', jsonObject(), [
  ...ABSENT,
  ...each('object', 1, 'a', [], true, ''),
  [{ a: '\0' }, 'text.malformed'],
  ...each('json', new Date(0), new Map(), { at: new Date(0) }, { all: [new Set([1])] }, { bytes: new Uint8Array(1) }),
])
