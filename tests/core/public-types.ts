import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const CORE = fileURLToPath(new URL('../../core/', import.meta.url))
const DOOR = `${CORE}mod.ts`

/** Types of which a member may declare some of the fields only. */
const ACTORS: ReadonlySet<string> = new Set(['Actor', 'Caller', 'Member', 'Person'])

const readDoor = () => {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic() {} }
  const settings = ts.getParsedCommandLineOfConfigFile(`${CORE}tsconfig.json`, {}, host)
  const program = ts.createProgram([DOOR, `${CORE}globals.d.ts`], settings?.options ?? {})
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(DOOR)
  const module = file && checker.getSymbolAtLocation(file)
  if (!module) throw new Error('the core has no entry point')
  const real = (each: ts.Symbol) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each)
  return { checker, exported: checker.getExportsOfModule(module).map(real) }
}

type Door = ReturnType<typeof readDoor>

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

/** A member of the facade, as its declaration documents it. */
interface Documented {
  readonly name: string
  readonly text: string
  /** The failure codes of its type. */
  readonly codes: readonly string[]
}

/** Members of the facade that are no modules. */
const RUNNING: ReadonlySet<string> = new Set(['collections', 'ports', 'worker'])

/** The members of the facade, by their names: `charges.issue`. */
const membersOf = ({ checker, exported }: Door) => {
  const facade = exported.find(({ name }) => name === 'Payments')
  if (!facade) throw new Error('there is no facade')
  const modules = checker.getDeclaredTypeOfSymbol(facade).getProperties()
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

/** Returns the documentation and the failure codes of each member. */
const documentedAt = (door: Door): readonly Documented[] =>
  membersOf(door).map(({ name, member, outcome }) => ({
    name,
    text: ts.displayPartsToString(member.getDocumentationComment(door.checker)),
    codes: outcome.failures.flatMap((failure) => codesOf(door.checker, failure)),
  }))

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

/** The entry point of the core, as the compiler sees it. */
export const openDoor = () => {
  const door = readDoor()
  return {
    forgotten: () => forgottenAt(door),
    nameless: () => namelessAt(door),
    documented: () => documentedAt(door),
  }
}
