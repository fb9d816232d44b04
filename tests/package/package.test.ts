import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { deno, embedding, npx, onSqlite, type Packed, packed, thisNode } from './packed.ts'

let pack: Packed
test.before('the package is built, packed and installed', async () => {
  pack = await packed()
})
test.after.always(() => pack?.remove())

test('the README embeds the core in under 30 lines, in Node and in Deno', async (t) => {
  const { text, prints } = await embedding()
  t.true(text.split('\n').length < 30)
  t.is(await pack.run(thisNode, text), prints)
  t.is(await pack.run(deno, text), prints)
})

test('the packed SQLite store works with its reader thread, in Node and in Deno', async (t) => {
  for (const [name, runtime] of Object.entries({ node: thisNode, deno })) {
    const { text, prints } = onSqlite(`${name}.db`)
    t.is(await pack.run(runtime, text), prints)
  }
})

test('what is packed is the doors, their types and no source', async (t) => {
  const files = await readdir(join(pack.home, 'node_modules/portico'), { recursive: true })
  t.deepEqual(
    files.filter((file) => /^(core|apps|tests)\//.test(file)),
    [],
  )
  for (const door of ['core', 'adapters/memory', 'adapters/sqlite']) {
    t.true(files.includes(`dist/${door}.js`), door)
    t.true(files.includes(`dist/${door}.d.ts`), door)
  }
})

test('what is said of a member of the facade reaches the types', async (t) => {
  const types = await readFile(join(pack.home, 'node_modules/portico/dist/core.d.ts'), 'utf8')
  t.regex(types, /\/\*\* Issues a charge: [^\n]*\n *issue: \(/)
})

test('the package is what its package.json says', async (t) => {
  await t.notThrowsAsync(npx('publint', 'run', pack.tarball, '--strict'))
  await t.notThrowsAsync(npx('attw', '--profile', 'esm-only', pack.tarball))
})
