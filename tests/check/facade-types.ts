import { join } from 'node:path'
import ts from 'typescript'
import type { RunnerCode } from '../../core/kernel/running/use-case.ts'
import type { KeyCode } from '../../core/office/idempotency-keys.ts'
import { ROOT } from '../root.ts'

const CORE = join(ROOT, 'core/')

/** Types of which a member may declare some of the fields only. */
const ACTORS: ReadonlySet<string> = new Set(['Actor', 'Caller', 'Member', 'Person'])

/** Codes that are documented once, for every member and for those with a key. */
const SAID_OF_ALL: ReadonlySet<string> = new Set<RunnerCode | KeyCode>([
  'store.busy',
  'store.unavailable',
  'key.conflict',
  'key.malformed',
  'key.reused',
  'key.running',
])

const coreProgram = (): ts.Program => {
  const fail = ({ messageText }: ts.Diagnostic): never => {
    throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'))
  }
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: fail }
  const options = ts.getParsedCommandLineOfConfigFile(join(CORE, 'tsconfig.json'), {}, host)?.options
  return ts.createProgram([join(CORE, 'mod.ts'), join(CORE, 'globals.d.ts')], options ?? {})
}

/** Returns the faults of the core's entry point as embedders see it, one line each. */
export const facadeErrors = (): readonly string[] => {
  const door = doorOf(coreProgram())
  return [
    ...forgottenAt(door).map((type) => `the entry point of the core does not export the type ${type}`),
    ...namelessAt(door).map((type) => `the type of an input or result of the facade has no exported name: ${type}`),
    ...undocumentedAt(door),
  ]
}

const doorOf = (program: ts.Program) => {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(join(CORE, 'mod.ts'))
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error('the core has no entry point')
  const real = (each: ts.Symbol) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each)
  return { checker, exported: checker.getExportsOfModule(module).map(real) }
}

type Door = ReturnType<typeof doorOf>

const isType = (symbol: ts.Symbol): boolean => (symbol.flags & ts.SymbolFlags.Type) !== 0
const isOurs = (symbol: ts.Symbol): boolean =>
  symbol.declarations?.some((each) => each.getSourceFile().fileName.startsWith(CORE)) === true
const isReference = (type: ts.Type): type is ts.TypeReference =>
  ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0

/** Returns tests for the types that the entry point exports. */
const namesOf = ({ checker, exported }: Door) => {
  const names = exported.filter(isType)
  const types = names.map((symbol) => ({ symbol, type: checker.getDeclaredTypeOfSymbol(symbol) }))
  const fits = (one: ts.Type, other: ts.Type) => checker.isTypeAssignableTo(one, other)
  return {
    has: (symbol: ts.Symbol) => names.includes(symbol),
    isNamed: (type: ts.Type) =>
      types.some((each) => fits(each.type, type) && (ACTORS.has(each.symbol.name) || fits(type, each.type))),
  }
}

/** Returns the types that exported ones name and that are not exported, each with its path. */
const forgottenAt = (door: Door): readonly string[] => {
  const { checker, exported } = door
  const { has, isNamed } = namesOf(door)
  const forgotten = new Set<string>()
  const seen = new Set<ts.Type>()
  const walk = (type: ts.Type, path: string): void => {
    if (seen.has(type)) return
    seen.add(type)
    const symbol = type.aliasSymbol ?? (type.isClassOrInterface() || isReference(type) ? type.symbol : undefined)
    const isGeneric = type.aliasTypeArguments !== undefined
    if (symbol && isOurs(symbol) && !has(symbol) && !isGeneric && !isNamed(type))
      forgotten.add(`${symbol.name} ${path}`)
    if (type.isIntersection() && isNamed(type)) return
    if (type.isUnionOrIntersection()) for (const each of type.types) walk(each, path)
    for (const each of isReference(type) ? checker.getTypeArguments(type) : []) walk(each, path)
    if (symbol && !isOurs(symbol)) return
    for (const each of type.getProperties()) walk(checker.getTypeOfSymbol(each), `${path}.${each.name}`)
    for (const signature of type.getCallSignatures()) {
      for (const each of signature.parameters) walk(checker.getTypeOfSymbol(each), `${path}(${each.name})`)
      walk(signature.getReturnType(), `${path}()`)
    }
  }
  for (const symbol of exported)
    walk(isType(symbol) ? checker.getDeclaredTypeOfSymbol(symbol) : checker.getTypeOfSymbol(symbol), symbol.name)
  return [...forgotten].sort()
}

/** Members of the facade that are no modules. */
const RUNNING: ReadonlySet<string> = new Set(['collections', 'ports', 'worker'])

/** Fewer would be no facade, of which nothing is checked. */
const MIN_MODULES = 20

/** The members of the facade, by their names: `charges.issue`. */
const membersOf = ({ checker, exported }: Door) => {
  const facade = exported.find(({ name }) => name === 'Payments')
  if (!facade) throw new Error('there is no facade')
  const modules = checker.getDeclaredTypeOfSymbol(facade).getProperties()
  if (modules.length < MIN_MODULES) throw new Error(`the facade has ${modules.length} members`)
  return modules
    .filter(({ name }) => !RUNNING.has(name))
    .flatMap((module) =>
      checker
        .getTypeOfSymbol(module)
        .getProperties()
        .map((member) => {
          const [ask] = checker.getTypeOfSymbol(member).getCallSignatures()
          if (!ask) throw new Error(`${member.name} is no member`)
          return { name: `${module.name}.${member.name}`, member, ask, outcome: outcomeOf(checker, ask) }
        }),
    )
}

/** Returns the types of a member's failures and values. */
const outcomeOf = (checker: ts.TypeChecker, ask: ts.Signature) => {
  const part = (outcome: ts.Type, side: 'left' | 'right') =>
    (outcome.isUnion() ? outcome.types : [outcome]).flatMap((one) => {
      const found = one.getProperty(side)
      return found ? [checker.getTypeOfSymbol(found)] : []
    })
  const outcomes = ask
    .getReturnType()
    .getCallSignatures()
    .flatMap((task) => checker.getAwaitedType(task.getReturnType()) ?? [])
  return {
    failures: outcomes.flatMap((outcome) => part(outcome, 'left')),
    values: outcomes.flatMap((outcome) => part(outcome, 'right')),
  }
}

/** Returns the inputs and results of members whose types have no exported name. */
const namelessAt = (door: Door): readonly string[] => {
  const { checker } = door
  const { has, isNamed } = namesOf(door)
  const isPlain = (type: ts.Type) => (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) === 0
  /** The objects of a type: those of a list, of a union, of a page. */
  const objectsOf = (type: ts.Type): readonly ts.Type[] => {
    if (type.aliasSymbol && has(type.aliasSymbol)) return (type.aliasTypeArguments ?? []).flatMap(objectsOf)
    if (isNamed(type)) return []
    if (type.isUnion()) return type.types.flatMap(objectsOf)
    if (isReference(type)) return checker.getTypeArguments(type).flatMap(objectsOf)
    return isPlain(type) ? [] : [type]
  }
  return membersOf(door).flatMap(({ name, ask, outcome }) => [
    ...ask.parameters
      .flatMap((each) => objectsOf(checker.getTypeOfSymbol(each)))
      .map((type) => `${name}(${checker.typeToString(type)})`),
    ...outcome.values.flatMap(objectsOf).map((type) => `${name} => ${checker.typeToString(type)}`),
  ])
}

/** Codes that a text names; `<one>.unknown` is any resource's. */
const named = (text: string): readonly RegExp[] =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => new RegExp(`^${code.replace(/<\w+>/g, '[\\w-]+')}$`))

/** A docstring describes its member, and names every code that it fails with. */
const undocumentedAt = (door: Door): readonly string[] =>
  membersOf(door).flatMap(({ name, member, outcome }) => {
    const text = ts.displayPartsToString(member.getDocumentationComment(door.checker))
    const known = named(text)
    const untold = outcome.failures
      .flatMap((failure) => codesOf(door.checker, failure))
      .filter((code) => !SAID_OF_ALL.has(code) && !known.some((pattern) => pattern.test(code)))
    return [
      ...(/^[A-Z]/.test(text) ? [] : [`${name} has no docstring`]),
      ...[...new Set(untold)].map((code) => `the docstring of ${name} does not name \`${code}\``),
    ]
  })

const codesOf = (checker: ts.TypeChecker, failure: ts.Type): readonly string[] => {
  const texts = (type: ts.Type): readonly string[] => {
    if (type.isUnion()) return type.types.flatMap(texts)
    // A member that does not say what it fails with makes the codes of the whole facade any text.
    if (type.flags & ts.TypeFlags.String) return ['any text']
    return type.isStringLiteral() ? [type.value] : []
  }
  const code = failure.getProperty('code')
  return code ? texts(checker.getTypeOfSymbol(code)) : []
}
