/** One of them, in quotes or not. No text makes it look twice at what it has passed: headers may be long and hostile. */
const PARAMETER = /;\s*([^\s=;"]+)=(?:"([^\r\n]*?)"|([^\s;"]*))\s*(?=;|$)/gy
const END = /^;?\s*$/

/**
 * The parameters of a header such as `form-data; name="a"; filename=b`, by name in lower case. A quote ends a text only
 * where a parameter may end, since some senders quote a name that holds quotes. Null where they are broken, or one comes
 * twice: whoever reads the first of them and whoever reads the last would not see the same form.
 */
export const parametersOf = (header: string): ReadonlyMap<string, string> | null => {
  const start = header.indexOf(';')
  const rest = start < 0 ? '' : header.slice(start)
  const found = new Map<string, string>()
  let end = 0
  for (const match of rest.matchAll(PARAMETER)) {
    const [all, name = '', quoted, token = ''] = match
    if (found.has(name.toLowerCase())) return null
    found.set(name.toLowerCase(), quoted ?? token)
    end += all.length
  }
  return END.test(rest.slice(end)) ? found : null
}
