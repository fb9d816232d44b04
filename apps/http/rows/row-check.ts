import { PARAMETERS } from '../routing/path-parameters.ts'
import type { ApiConfig } from './api.ts'
import { type AnyRow, type ApiTypes, STAGES } from './row.ts'
import { isKeyed } from './row-defaults.ts'

/** What is wrong with a table of rows, one line each: a server with one of these never starts. */
export const wrongRows = (setup: ApiConfig<ApiTypes>): readonly string[] => {
  const names = new Set<string>()
  const places = new Map<string, string>()
  const shapes = new Map<string, string>()
  return setup.rows.flatMap((row) => {
    const wrong = [
      ...(names.has(row.name) ? ['its name is taken'] : []),
      ...wrongOfItself(row, setup),
      ...row.paths.flatMap((path) => [
        ...row.methods.flatMap((method) => claim(places, `${method} ${shapeOf(path)}`, row.name)),
        ...claim(shapes, shapeOf(path), path, true),
      ]),
    ]
    names.add(row.name)
    return wrong.map((what) => `row ${row.name}: ${what}`)
  })
}

const wrongOfItself = (row: AnyRow, { authSchemes: schemes, dialects }: ApiConfig<ApiTypes>): readonly string[] => {
  const scheme = schemes[row.auth]
  const stages = [...(row.stages ?? STAGES)].sort()
  return [
    ...(row.methods.length === 0 || row.paths.length === 0 ? ['it has no method or no path'] : []),
    ...(dialects[row.dialect] ? [] : [`nobody speaks the dialect ${row.dialect}`]),
    ...(scheme ? [] : [`there is no auth scheme ${row.auth}`]),
    ...(row.permission !== undefined && !scheme?.permits ? ['its auth scheme knows no permissions'] : []),
    ...(stages.join() === [...STAGES].sort().join() ? [] : ['its stages are not the seven']),
    ...(scheme && isKeyed(row, scheme) && row.reply.streams && !row.reply.keeps
      ? ['what it answers cannot be kept for an idempotency key: say key: false']
      : []),
  ]
}

/** A path without the names of its parameters: two paths of one shape are one path. */
const shapeOf = (path: string): string => path.replace(PARAMETERS, (found) => found.charAt(0))

const claim = (taken: Map<string, string>, place: string, by: string, mayRepeat = false): readonly string[] => {
  const owner = taken.get(place)
  taken.set(place, owner ?? by)
  return owner === undefined || (mayRepeat && owner === by) ? [] : [`${by} and ${owner} are both ${place}`]
}
