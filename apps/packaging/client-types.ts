// Writes the generated part of `portico/client` into `build/openapi`: the types of both OpenAPI documents, and the
// facts of each operation that the client needs when it runs.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { memoryEstatePorts, memoryPorts, memoryStore } from '../../adapters/memory/mod.ts'
import { payments, paymentsCollections, realEstate, realEstateCollections } from '../../core/mod.ts'
import { paymentsApi, pinoLog, realEstateApi, serverPart } from '../mod.ts'

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }
type Fields = { readonly [key: string]: Json }

const OUT = fileURLToPath(new URL('../../build/openapi/', import.meta.url))
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const KEY = 'Idempotency-Key'
const JSON_TYPE = 'application/json'

/** Returns the OpenAPI documents by the names of their files of types. */
export const documents = (): Readonly<Record<'payments' | 'real-estate', Fields>> => {
  const store = memoryStore([...paymentsCollections, ...realEstateCollections, ...serverPart.collections])
  const quiet = { log: pinoLog('client', 'silent') }
  return {
    payments: paymentsApi(payments(memoryPorts({ store })), quiet).document() as Fields,
    'real-estate': realEstateApi(realEstate(memoryEstatePorts({ store })), quiet).document() as Fields,
  }
}

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldsOf = (value: Json | undefined): Fields => (isFields(value) ? value : {})

/** Resolves a reference; returns any other value unchanged. */
const resolved = (document: Fields, value: Json | undefined): Fields => {
  const { $ref } = fieldsOf(value)
  if (typeof $ref !== 'string') return fieldsOf(value)
  return fieldsOf(
    $ref
      .split('/')
      .slice(1)
      .reduce<Json | undefined>((at, key) => fieldsOf(at)[key], document),
  )
}

/** The statuses of failures: the client throws them, and their codes are another type. */
const FAILED = /^[45]\d\d$/

/** Removes examples, headers of replies and failures, which the types do not contain. */
const withoutProse = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withoutProse)
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(([key, each]) => {
    if (key === 'example') return isFields(fieldsOf(each).schema)
    return !FAILED.test(key) && !(key === 'headers' && isFields(each))
  })
  return Object.fromEntries(kept.map(([key, each]) => [key, withoutProse(each)]))
}

const INDENT = /^(?: {4})+/gm
/** Members such as `head?: never`. */
const ABSENT = /^\s*\w+\?: never;\n/gm
/** The client shows no headers. */
const HEADERS = /^\s*headers: \{\n\s*\[name: string\]: unknown;\n\s*\};\n/gm

const typesOf = async (document: Fields): Promise<string> => {
  const text = astToString(await openapiTS(JSON.stringify(withoutProse(document))))
    .replace(ABSENT, '')
    .replace(HEADERS, '')
  return text.replace(INDENT, (spaces) => '\t'.repeat(spaces.length / 4))
}

interface Operation {
  readonly name: string
  readonly isOpen: boolean
  readonly isKeyed: boolean
  readonly types: readonly string[]
  readonly codes: readonly string[]
}

const codesIn = (value: Json | undefined): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(codesIn)
  if (!isFields(value)) return []
  const own = [fieldsOf(value.error_code).enum, fieldsOf(value.code).enum].flat()
  return [...own.filter((code) => typeof code === 'string'), ...Object.values(value).flatMap(codesIn)]
}

const operationsOf = (document: Fields): readonly Operation[] =>
  Object.entries(fieldsOf(document.paths)).flatMap(([path, item]) =>
    METHODS.flatMap((method): readonly Operation[] => {
      const operation = fieldsOf(item)[method]
      if (!isFields(operation)) return []
      const parameters = [operation.parameters ?? []].flat().map((each) => resolved(document, each))
      const replies = Object.entries(fieldsOf(operation.responses))
      const types = replies
        .filter(([status]) => status.startsWith('2'))
        .flatMap(([, reply]) => Object.keys(fieldsOf(resolved(document, reply).content)))
        .map((type) => type.split(';')[0] ?? type)
      return [
        {
          name: `${method} ${path}`,
          isOpen: Array.isArray(operation.security) && operation.security.length === 0,
          isKeyed: parameters.some(({ name }) => name === KEY),
          types: [...new Set(types)],
          codes: replies.filter(([status]) => /^[45]/.test(status)).flatMap(([, reply]) => codesIn(reply)),
        },
      ]
    }),
  )

/** The type `Facts` of the client, which this cannot import: the client imports it. */
const FACTS =
  '{ readonly open: readonly string[]; readonly keyed: readonly string[]; readonly types: Readonly<Record<string, readonly string[]>> }'

/** The facts as a module. An operation whose replies are JSON, or empty, is not named among the types. */
const factsOf = (document: Fields): string => {
  const operations = operationsOf(document)
  const names = (wanted: (operation: Operation) => boolean) => operations.filter(wanted).map(({ name }) => name)
  const types = operations.flatMap((each) =>
    each.types.every((type) => type === JSON_TYPE) ? [] : [[each.name, each.types] as const],
  )
  const codes = [...new Set(operations.flatMap((each) => each.codes))].sort()
  const facts = {
    open: names(({ isOpen }) => isOpen),
    keyed: names(({ isKeyed }) => isKeyed),
    types: Object.fromEntries(types),
  }
  return [
    `export const facts: ${FACTS} = ${JSON.stringify(facts)}`,
    '/** The codes that an operation may fail with. */',
    `export type Code = ${codes.map((code) => JSON.stringify(code)).join(' | ')}`,
    '',
  ].join('\n')
}

/** Returns the text of each generated file. */
export const generated = async (): Promise<Readonly<Record<string, string>>> => {
  const files: Record<string, string> = {}
  for (const [name, document] of Object.entries(documents())) {
    files[`${name}.ts`] = await typesOf(document)
    files[`${name}-facts.ts`] = factsOf(document)
  }
  return files
}

const write = (file: string, text: string): void => {
  const made = join(OUT, `${file}.${process.pid}`)
  writeFileSync(made, text)
  renameSync(made, join(OUT, file))
}

export const readGenerated = (file: string): string => readFileSync(join(OUT, file), 'utf8')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(OUT, { recursive: true })
  for (const [file, text] of Object.entries(await generated())) write(file, text)
  process.exit(0)
}
