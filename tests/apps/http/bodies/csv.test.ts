import { Readable } from 'node:stream'
import test from 'ava'
import { CsvText, csvBody, csvReader } from '../../../../apps/http/bodies/csv.ts'
import { isLeft } from '../../../../core/failure.ts'
import { canonicalText } from '../../../../core/office/idempotency-keys.ts'

const LIMIT = 20
const readAs = (...chunks: readonly Uint8Array[]) =>
  csvReader(LIMIT)({ req: Readable.from(chunks, { objectMode: false }) } as never)

const textOf = (sent: unknown) => {
  const got = csvBody('Uma tabela').on().decode(sent)
  return isLeft(got) ? got.left : got.right
}

const asIs = (text: string) => text

test('reads a UTF-8 CSV in chunks of any size, without its BOM', async (t) => {
  const bytes = Buffer.from('\ufeffnome\nJosé 🎈')
  for (const size of [1, 2, 3, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const got = await readAs(...chunks)
    t.is(textOf(isLeft(got) ? got.left : got.right), 'nome\nJosé 🎈', `${size}`)
  }
  t.deepEqual(await readAs(), await readAs(Buffer.alloc(0)))
  t.is(textOf(null), '')
})

test('reads a CSV that is not UTF-8 as Windows-1252, in chunks of any size', async (t) => {
  const bytes = Buffer.from([0x80, 0x20, 0x4a, 0x6f, 0x73, 0xe9, 0x20, 0x96, 0x20, 0xc3])
  for (const size of [1, 4, bytes.length]) {
    const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
      bytes.subarray(at * size, (at + 1) * size),
    )
    const got = await readAs(...chunks)
    t.is(textOf(isLeft(got) ? got.left : got.right), '€ José – Ã', `${size}`)
  }
})

test('rejects other encodings, a CSV over the limit, and one that breaks off', async (t) => {
  const codeOf = async (reading: ReturnType<typeof readAs>) => {
    const got = await reading
    return isLeft(got) && got.left.code
  }
  for (const wrong of [
    [0xff, 0xfe, 0x61, 0],
    [0x61, 0xe9, 0],
  ])
    t.is(await codeOf(readAs(Buffer.from(wrong))), 'csv.malformed')
  t.is(await codeOf(readAs(Buffer.alloc(LIMIT, 'a'), Buffer.from('b'))), 'body.too-large')
  const broken = new Readable({ read: () => {} })
  const reading = csvReader(LIMIT)({ req: broken } as never)
  broken.push('a,b')
  broken.destroy(new Error('aborted'))
  t.is(await codeOf(reading), 'csv.malformed')
})

test('shows idempotency keys only the digest of a CSV', async (t) => {
  const [one, same, other] = await Promise.all(['a,b', 'a,b', 'a;b'].map((text) => readAs(Buffer.from(text))))
  const seen = (got: typeof one) => canonicalText(got && !isLeft(got) ? got.right : null, asIs)
  t.is(seen(one), seen(same))
  t.not(seen(one), seen(other))
  t.regex(seen(one), /^\{"digest":"[0-9a-f]{64}"\}$/)
  t.is(JSON.stringify(new CsvText('segredo', 'd')), '{"digest":"d"}')
})
