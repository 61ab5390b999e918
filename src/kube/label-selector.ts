/**
 * Whether labels match a selector, as the API server reads it. What is not understood here, such as `>`, is left to the server.
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors
 */
export function matchesLabels(selector: string, labels: Readonly<Record<string, string>>): boolean {
  return requirementsOf(selector).every((requirement) => {
    const [, not, key = '', operator, value, set, values = ''] = form.exec(requirement) ?? [];
    const label = Object.hasOwn(labels, key) ? labels[key] : undefined;
    const isOneOf = () => label !== undefined && valuesOf(values).includes(label);
    if (key === '') return true;
    if (operator !== undefined) return (operator === '!=') !== (label === value);
    if (set !== undefined) return (set === 'notin') !== isOneOf();
    return (not === '!') !== (label !== undefined);
  });
}

const form = /^(!)?\s*([\w./-]+)\s*(?:(==?|!=)\s*([\w.-]*)|(?<=\s)(in|notin)\s*\(([^()]*)\))?$/;

/** Commas in parentheses separate values. */
function requirementsOf(selector: string): readonly string[] {
  return (selector.match(/(?:[^,()]|\([^()]*\))+/g) ?? []).map((one) => one.trim());
}

function valuesOf(values: string): readonly string[] {
  return values.split(',').map((value) => value.trim());
}
