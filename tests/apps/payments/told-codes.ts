import type { OpenApi } from '../../../apps/http/docs/openapi.ts'

/** What a request can be told before it is known which operation it asks for. */
const UNROUTED = new Set(['route.unknown', 'method.not-allowed', 'request.malformed', 'request.slow'])

interface Operation {
  /** What many may be told is pointed at. */
  readonly responses: Readonly<Record<string, { readonly description?: string }>>
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>

const patternOf = (template: string): RegExp =>
  new RegExp(`^${template.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')}/?$`)

/** Finds the failures of which the documentation of their operation says nothing. */
export const toldCodes = (document: OpenApi) => {
  const places = Object.entries(JSON.parse(JSON.stringify(document.paths)) as Paths).map(
    ([path, operations]) => [patternOf(path), operations] as const,
  )
  return (method: string, target: string, status: number, code: unknown): string | null => {
    const [path = ''] = target.split('?')
    const operations = places.flatMap(([pattern, { [method.toLowerCase()]: operation }]) =>
      operation && pattern.test(path) ? [operation] : [],
    )
    if (operations.length === 0 || typeof code !== 'string' || UNROUTED.has(code)) return null
    const isTold = operations.some(({ responses }) => responses[status]?.description?.includes(`\`${code}\``))
    return isTold ? null : `${method} ${path}: ${status} ${code} is not documented`
  }
}
