// SPDX-License-Identifier: Apache-2.0
// type hashes and names against those of the ROS 2 source build
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tn_msgs/all_msgs.h"
#include "tn_msgs/example_interfaces.h"
#include "tn_msgs/rcl_interfaces.h"
#include "tn_msgs/sensor_msgs.h"
#include "tn_msgs/std_srvs.h"

struct vector {
    const char *name;
    const char *hash;
};

static const struct vector vectors[] = {
    {"builtin_interfaces/msg/Time",
     "RIHS01_b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197"},
    {"std_msgs/msg/Header",
     "RIHS01_f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01"},
    {"std_msgs/msg/String",
     "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"},
    {"std_msgs/msg/Empty",
     "RIHS01_20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312"},
    {"std_msgs/msg/Bool",
     "RIHS01_feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9"},
    {"geometry_msgs/msg/Quaternion",
     "RIHS01_8a765f66778c8ff7c8ab94afcc590a2ed5325a1d9a076ffff38fbce36f458684"},
    {"geometry_msgs/msg/Transform",
     "RIHS01_beb83fbe698636351461f6f35d1abb20010c43d55374d81bd041f1ba2581fddc"},
    {"geometry_msgs/msg/TransformStamped",
     "RIHS01_0a241f87d04668d94099cbb5ba11691d5ad32c2f29682e4eb5653424bd275206"},
    {"geometry_msgs/msg/Pose",
     "RIHS01_d501954e9476cea2996984e812054b68026ae0bfae789d9a10b23daf35cc90fa"},
    {"geometry_msgs/msg/PoseStamped",
     "RIHS01_10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8"},
    {"geometry_msgs/msg/PoseArray",
     "RIHS01_af0cc36d190e104d546d168d6b39df04fa4b4ccecf59cb4c9ed328d3d5004aa0"},
    {"geometry_msgs/msg/TwistStamped",
     "RIHS01_5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64"},
    {"sensor_msgs/msg/JointState",
     "RIHS01_a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e"},
    {"sensor_msgs/msg/Imu",
     "RIHS01_7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b"},
    {"sensor_msgs/msg/Joy",
     "RIHS01_0d356c79cad3401e35ffeb75a96a96e08be3ef896b8b83841d73e890989372c5"},
    {"sensor_msgs/msg/BatteryState",
     "RIHS01_4bee5dfce981c98faa6828b868307a0a73f992ed0789f374ee96c8f840e69741"},
    {"visualization_msgs/msg/MarkerArray",
     "RIHS01_86cb8800b6fb05b5eff1abd7a56f62a5641d3ae9a1c29e78e67e704f1d067dcf"},
    {"diagnostic_msgs/msg/DiagnosticArray",
     "RIHS01_5a8a36efb05fb25070fa0fb3810290c0e6cd4862b54a8fb975a1ee8dc55a333e"},
    {"rcl_interfaces/msg/Log",
     "RIHS01_e28ce254ca8abc06abf92773b74602cdbf116ed34fbaf294fb9f81da9f318eac"},
    {"rcl_interfaces/msg/ParameterEvent",
     "RIHS01_043e627780fcad87a22d225bc2a037361dba713fca6a6b9f4b869a5aa0393204"},
    {"action_msgs/msg/GoalStatusArray",
     "RIHS01_6c1684b00f177d37438febe6e709fc4e2b0d4248dca4854946f9ed8b30cda83e"},
    {"rmw_dds_common/msg/ParticipantEntitiesInfo",
     "RIHS01_91a0593bacdcc50ea9bdcf849a938b128412cc1ea821245c663bcd26f83c295e"},
    {"std_srvs/srv/Trigger_Request",
     "RIHS01_d010825374ce8918e72bfd826c82603e60f45419e932ea976f807b74a863a199"},
    {"std_srvs/srv/Trigger_Response",
     "RIHS01_2d946c21e2fc3f1e9ca6986a8191d85fcc70097a8bb7771a053564bc47009cdf"},
    {"example_interfaces/srv/AddTwoInts_Request",
     "RIHS01_000c5fd92d6b2e1a05949348f584d6d652adea1e92d691792011ac2273508302"},
    {"example_interfaces/srv/AddTwoInts_Response",
     "RIHS01_de5c030d4af33cba2749310b249737b631594703f9300495f48bffb2b44dcc2f"},
    {"rcl_interfaces/srv/ListParameters_Request",
     "RIHS01_a1b0b5d6b967a5b8ac5bc8563c3ea678f349e312a6a4967227c5a96bc5ce38df"},
    {"rcl_interfaces/srv/GetParameterTypes_Request",
     "RIHS01_87d7ec5ef545d4daa289d500025d31fb2437bc8b8365ca367161c4dac4be33fd"},
    {"rcl_interfaces/srv/GetParameterTypes_Response",
     "RIHS01_ac1335dce67c478e669434f6ac2fbff34fcd529580f272d3006785ba8b54e47f"},
    {"rcl_interfaces/srv/GetParameterTypes_Event",
     "RIHS01_9516adca0cc885d46a59c2362fb8eb5f4906b046518266f8c645b454b0dddc60"},
    {"example_interfaces/action/Fibonacci_SendGoal_Request",
     "RIHS01_3d088942b413247db536576f0286768c6be8fcd5d0c9a5d544f359fba090a238"},
    {"example_interfaces/action/Fibonacci_FeedbackMessage",
     "RIHS01_c1de71afd52e49a89c53d8262366884185bc0a02f78ce051c4e46b0a7fe59bb2"},
    {"end_effector_interfaces/msg/EEJointFeedback",
     "RIHS01_303ff56c01752539fb3aff002e7011d6903ece8fb9f3a6180478e2258db78b50"},
    {"end_effector_interfaces/msg/EEJointControl",
     "RIHS01_4890692785044763a2574a118ba097badf26ae39113d94fbb75448a8416e9193"},
    {"end_effector_interfaces/msg/EEJointControlMode",
     "RIHS01_175c84f8fc40c33a5846b3065e3c5b4c4c5880a5bad6d2d8d761fd3a4e921fcc"},
};

static const struct tn_type *find(const char *name)
{
    for (uint32_t i = 0; i < tn_all_msgs_n; i++) {
        if (strcmp(tn_all_msgs[i]->ros_name, name) == 0) {
            return tn_all_msgs[i];
        }
    }
    return NULL;
}

static void message_hashes_equal_those_of_ros(void **state)
{
    (void)state;
    for (size_t i = 0; i < TN_ARRAY_SIZE(vectors); i++) {
        const struct tn_type *type = find(vectors[i].name);
        if (type == NULL) {
            fail_msg("no type %s", vectors[i].name);
            return;
        }
        assert_string_equal(type->hash, vectors[i].hash);
    }
}

static void service_hashes_equal_those_of_ros(void **state)
{
    (void)state;
    assert_string_equal(std_srvs_srv_Trigger_type.ros_name, "std_srvs/srv/Trigger");
    assert_string_equal(std_srvs_srv_Trigger_type.hash,
                        "RIHS01_eeff2cd6fa5ad9d27cdf4dec64818317839b62f212a91e6b5304b634b2062c5f");
    assert_string_equal(std_srvs_srv_SetBool_type.ros_name, "std_srvs/srv/SetBool");
    assert_string_equal(std_srvs_srv_SetBool_type.hash,
                        "RIHS01_abe9e4bb6b41b40e6789712c00ec8871923e089af3f667a79992a428cff2da0a");
    assert_string_equal(rcl_interfaces_srv_GetParameterTypes_type.ros_name,
                        "rcl_interfaces/srv/GetParameterTypes");
    assert_string_equal(rcl_interfaces_srv_GetParameterTypes_type.hash,
                        "RIHS01_da199c878688b3e530bdfe3ca8f74cb9fa0c303101e980a9e8f260e25e1c80ca");
}

static void action_hashes_equal_those_of_ros(void **state)
{
    (void)state;
    const struct tn_action_type *type = &example_interfaces_action_Fibonacci_type;
    assert_string_equal(type->ros_name, "example_interfaces/action/Fibonacci");
    assert_string_equal(type->hash,
                        "RIHS01_9508051da1ea4658de144b09bd0690ff3de52104683d847aed764d2915906f51");
    assert_string_equal(type->goal->ros_name, "example_interfaces/action/Fibonacci_Goal");
    assert_string_equal(type->send_goal->request->dds_name,
                        "example_interfaces::action::dds_::Fibonacci_SendGoal_Request_");
    assert_string_equal(type->get_result->response->dds_name,
                        "example_interfaces::action::dds_::Fibonacci_GetResult_Response_");
    assert_string_equal(type->feedback_message->dds_name,
                        "example_interfaces::action::dds_::Fibonacci_FeedbackMessage_");
}

static void types_are_found_by_name(void **state)
{
    (void)state;
    const struct tn_registry *r = &tn_registry_msgs;
    assert_ptr_equal(tn_registry_message(r, "sensor_msgs/msg/JointState"),
                     &sensor_msgs_msg_JointState_type);
    assert_ptr_equal(tn_registry_service(r, "std_srvs/srv/Trigger"), &std_srvs_srv_Trigger_type);
    assert_ptr_equal(tn_registry_service(r, "example_interfaces/action/Fibonacci_GetResult"),
                     example_interfaces_action_Fibonacci_type.get_result);
    assert_ptr_equal(tn_registry_action(r, "example_interfaces/action/Fibonacci"),
                     &example_interfaces_action_Fibonacci_type);
    assert_null(tn_registry_message(r, "std_srvs/srv/Trigger"));
    assert_null(tn_registry_service(r, "sensor_msgs/msg/JointState"));
    assert_null(tn_registry_action(r, "example_interfaces/action/Fibonacc"));
}

static void names_are_those_of_the_wire(void **state)
{
    (void)state;
    assert_string_equal(sensor_msgs_msg_JointState_type.ros_name, "sensor_msgs/msg/JointState");
    assert_string_equal(sensor_msgs_msg_JointState_type.dds_name,
                        "sensor_msgs::msg::dds_::JointState_");
    assert_string_equal(std_srvs_srv_Trigger_type.request->dds_name,
                        "std_srvs::srv::dds_::Trigger_Request_");
    assert_string_equal(std_srvs_srv_Trigger_type.response->ros_name,
                        "std_srvs/srv/Trigger_Response");
    assert_string_equal(std_srvs_srv_Trigger_type.event->ros_name, "std_srvs/srv/Trigger_Event");
}

static void schema_holds_each_used_type_once(void **state)
{
    (void)state;
    static const char expected[] =
        "std_msgs/Header header\n"
        "string[] name\n"
        "float64[] position\n"
        "float64[] velocity\n"
        "float64[] effort\n"
        "================================================================================\n"
        "MSG: std_msgs/Header\n"
        "builtin_interfaces/Time stamp\n"
        "string frame_id\n"
        "================================================================================\n"
        "MSG: builtin_interfaces/Time\n"
        "int32 sec\n"
        "uint32 nanosec\n";
    char text[1024];
    size_t size = tn_type_schema(&sensor_msgs_msg_JointState_type, text, sizeof text);
    assert_string_equal(text, expected);
    assert_int_equal(size, sizeof expected - 1);
    // truncated at every capacity, never beyond it
    for (size_t capacity = 1; capacity < sizeof expected; capacity++) {
        memset(text, 'x', sizeof text);
        assert_int_equal(tn_type_schema(&sensor_msgs_msg_JointState_type, text, capacity), size);
        assert_int_equal(strlen(text), capacity - 1);
        assert_int_equal(text[capacity], 'x');
    }
    assert_int_equal(tn_type_schema(&sensor_msgs_msg_JointState_type, NULL, 0), size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(message_hashes_equal_those_of_ros),
        cmocka_unit_test(service_hashes_equal_those_of_ros),
        cmocka_unit_test(action_hashes_equal_those_of_ros),
        cmocka_unit_test(types_are_found_by_name),
        cmocka_unit_test(names_are_those_of_the_wire),
        cmocka_unit_test(schema_holds_each_used_type_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
