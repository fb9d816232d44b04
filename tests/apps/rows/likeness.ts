const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => kindOf(value) === 'object'

/**
 * Where an answer has another shape than its example: other keys, or other JSON types. A list has items where the
 * example has some, each like one of those.
 */
export const unlike = (answer: unknown, example: unknown, at = 'body'): readonly string[] => {
  const [got, wanted] = [kindOf(answer), kindOf(example)]
  if (got !== wanted) return [`${at} is ${got}, not ${wanted}`]
  if (Array.isArray(answer) && Array.isArray(example)) return unlikeList(answer, example, at)
  if (!isObject(answer) || !isObject(example)) return []
  return [...new Set([...Object.keys(example), ...Object.keys(answer)])].flatMap((key) => {
    if (!Object.hasOwn(answer, key)) return [`${at}.${key} is missing`]
    if (!Object.hasOwn(example, key)) return [`${at}.${key} is not in the example`]
    return unlike(answer[key], example[key], `${at}.${key}`)
  })
}

const unlikeList = (answer: readonly unknown[], example: readonly unknown[], at: string): readonly string[] => {
  if ((answer.length === 0) !== (example.length === 0))
    return [`${at} has ${answer.length} items, not ${example.length}`]
  return answer.flatMap((item, index) => {
    const wrongs = example.map((each) => unlike(item, each, `${at}[${index}]`))
    return wrongs.some((wrong) => wrong.length === 0) ? [] : (wrongs[0] ?? [])
  })
}
