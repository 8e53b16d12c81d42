// Two lint rules that oxlint does not have. Plain JavaScript, because oxlint loads this file itself.

const clocks = new Set(['Date', 'dayjs', 'dayjs.utc']);

const nameOf = callee => {
  if (callee.type === 'Identifier') return callee.name;
  const named = callee.type === 'MemberExpression' && !callee.computed && callee.object.type === 'Identifier';
  return named ? `${callee.object.name}.${callee.property.name}` : '';
};

/** `new Date()`, `Date()`, `dayjs()` and `dayjs.utc()` read the clock; with an argument all but `Date(x)` convert. */
const noClock = {
  create(context) {
    const check = node => {
      const name = nameOf(node.callee);
      const converts = node.arguments.length > 0 && (node.type === 'NewExpression' || name !== 'Date');
      if (clocks.has(name) && !converts)
        context.report({ node, message: `${name} reads the clock here; time comes in as an argument.` });
    };
    return { NewExpression: check, CallExpression: check };
  },
};

/** `x as unknown as T` switches the type checker off. */
const noDoubleAssertion = {
  create(context) {
    return {
      TSAsExpression(node) {
        const inner = node.expression;
        if (inner.type === 'TSAsExpression' && /^TS(Unknown|Any|Never)Keyword$/.test(inner.typeAnnotation.type))
          context.report({ node, message: 'A double assertion switches the type checker off; parse the value.' });
      },
    };
  },
};

export default {
  meta: { name: 'countersign' },
  rules: { 'no-clock': noClock, 'no-double-assertion': noDoubleAssertion },
};
