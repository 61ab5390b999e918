import { flytePrimaryKey, isAirflowTask } from '../../pod/platform.ts';
import { own } from '../../pod/values.ts';
import type { Statement } from '../../vocabulary/evidence.ts';
import type { PodView } from '../../vocabulary/pod.ts';
import type { Source } from './source.ts';

type Platform = 'Airflow' | 'Flyte' | 'Spark';

/**
 * Airflow reads the task's result out of this container after the task has ended, and ends it then. Before that, its end would
 * lose the result. (apache/airflow, providers/cncf/kubernetes, utils/xcom_sidecar.py)
 */
export const awaitedByAirflow: Source =
  () =>
  ({ name }) =>
    name === 'airflow-xcom-sidecar' ? mainOf('Airflow') : undefined;

/** The containers that do the work in the pods of platforms. Nothing is said about the others. */
export const mainOfPlatform: Source = (pod) => {
  const names = mainNames(pod);
  return ({ name }) => {
    const platform = names.get(name);
    return platform && mainOf(platform);
  };
};

/**
 * flyteorg/flyte, flytek8s/pod_helper.go; apache/spark, deploy/k8s/Constants.scala; apache/airflow, KubernetesPodOperator, whose
 * base_container_name can be changed.
 */
function mainNames({ annotations, labels }: PodView): ReadonlyMap<string, Platform> {
  const primary = own(annotations, flytePrimaryKey);
  return new Map<string, Platform>([
    ['spark-kubernetes-driver', 'Spark'],
    ['spark-kubernetes-executor', 'Spark'],
    ...(isAirflowTask({ labels }) ? ([['base', 'Airflow']] as const) : []),
    ...(primary === undefined ? [] : ([[primary, 'Flyte']] as const)),
  ]);
}

function mainOf(platform: Platform): Statement {
  return { role: 'Main', because: { kind: 'Platform', platform } };
}
