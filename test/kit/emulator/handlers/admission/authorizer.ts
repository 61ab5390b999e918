import { authorize, type Decision } from '../access/authorization.ts';
import { serviceAccountUser, type User } from '../access/users.ts';
import type { Call } from '../call.ts';
import type { RequestInfo, ResourceInfo } from '../request-info.ts';

/** The CEL variable `authorizer`: https://pkg.go.dev/k8s.io/apiserver/pkg/cel/library#Authz */
export class Authorizer {
  constructor(
    private readonly call: Call,
    private readonly user: User = call.user,
  ) {}

  /** The request's own resource and name. */
  get requestResource(): ResourceCheck {
    return new ResourceCheck(this, this.call.info);
  }

  group(group: string): ResourceCheck {
    return new ResourceCheck(this, { ...nothing, group });
  }

  path(path: string): PathCheck {
    return new PathCheck(this, path);
  }

  serviceAccount(namespace: string, name: string): Authorizer {
    return new Authorizer(this.call, serviceAccountUser(namespace, name));
  }

  decide(info: RequestInfo): AuthorizerDecision {
    return new AuthorizerDecision(authorize(this.call.backend.store, this.user, info));
  }
}

const nothing: ResourceInfo = {
  kind: 'Resource',
  verb: '',
  group: '',
  version: '*',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
};

export class ResourceCheck {
  constructor(
    private readonly authorizer: Authorizer,
    private readonly info: ResourceInfo,
  ) {}

  with(part: Partial<ResourceInfo>): ResourceCheck {
    return new ResourceCheck(this.authorizer, { ...this.info, ...part });
  }

  check(verb: string): AuthorizerDecision {
    return this.authorizer.decide({ ...this.info, verb });
  }
}

export class PathCheck {
  constructor(
    private readonly authorizer: Authorizer,
    private readonly path: string,
  ) {}

  check(verb: string): AuthorizerDecision {
    return this.authorizer.decide({ kind: 'NonResource', verb, path: this.path });
  }
}

export class AuthorizerDecision {
  constructor(private readonly decision: Decision) {}

  allowed(): boolean {
    return this.decision.allowed;
  }

  reason(): string {
    return this.decision.allowed ? (this.decision.reason ?? '') : '';
  }
}
